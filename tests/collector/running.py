"""Run the Collector on free loopback ports, in a folder of its own."""

import http.client
import os
import secrets
import signal
import socket
import subprocess

from collector.waiting import eventually
from paths import REPOSITORY

CONFIGURATIONS = REPOSITORY / "collector"


_PORTS = range(20_000, 32_000)  # below those that the kernel gives to connections, which it may do at any moment
_ATTEMPTS = 5


def hold_port():
    """A socket on a free loopback port that does not listen: connections are refused, and nobody else gets the port."""
    while True:
        one = socket.socket()
        try:
            one.bind(("127.0.0.1", secrets.choice(_PORTS)))
        except OSError:
            one.close()
        else:
            return one


def port_of(held):
    return held.getsockname()[1]


def ask(port, method, path, body=None, headers=None):
    """Send a request to a loopback port; return the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        return connection.getresponse().status
    finally:
        connection.close()


def environment(variables):
    """Nothing of this process but what a program needs to run."""
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables}


class Collector:
    """One Collector. What it keeps on disk outlives ``kill()`` and ``start()``."""

    def __init__(self, binary, folder, configurations, variables, *, flags=()):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._command = [str(binary), *(f"--config={path}" for path in configurations), *flags]
        self._variables = variables
        self._process = None
        self._take_ports()

    def _take_ports(self):
        held = [hold_port() for _ in range(4)]
        self.http, self.grpc, self.health, self.metrics = map(port_of, held)
        for one in held:
            one.close()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.http}"

    @property
    def grpc_endpoint(self):
        return f"http://127.0.0.1:{self.grpc}"

    @property
    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8")

    def start(self):
        for _ in range(_ATTEMPTS):
            self._launch()
            if eventually(self._state, what="a healthy Collector") == "ready":
                return self
            if "address already in use" not in self.log:
                break
            self._take_ports()  # somebody was faster
        raise AssertionError(f"the Collector ended with {self._process.returncode}:\n{self.log}")

    def _launch(self):
        addresses = {
            "RAGFAULT_HTTP_ADDR": f"127.0.0.1:{self.http}",
            "RAGFAULT_GRPC_ADDR": f"127.0.0.1:{self.grpc}",
            "RAGFAULT_HEALTH_ADDR": f"127.0.0.1:{self.health}",
            "RAGFAULT_METRICS_PORT": str(self.metrics),
        }
        env = environment({**addresses, **self._variables})
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(self._command, cwd=self.folder, env=env, stdout=log, stderr=log)

    def _state(self):
        if self._process.poll() is not None:
            return "ended"
        try:
            return "ready" if ask(self.health, "GET", "/") == 200 else None
        except OSError:  # it does not listen yet
            return None

    def kill(self):
        """End it as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self):
        """Ask it to end."""
        self._end(signal.SIGTERM)

    def _end(self, number):
        self._process.send_signal(number)
        self._process.wait(timeout=30)

    def close(self):
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait(timeout=30)
