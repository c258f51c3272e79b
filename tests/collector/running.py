"""Run the Collector on free loopback ports, in a folder of its own."""

import http.client
import os
import signal
import socket
import subprocess

from collector.waiting import eventually
from paths import REPOSITORY

CONFIGURATIONS = REPOSITORY / "collector"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


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
    """One Collector. What it keeps on disk and its ports outlive ``kill()`` and ``start()``."""

    def __init__(self, binary, folder, configurations, variables):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.http, self.grpc, self.health, self.metrics = (free_port() for _ in range(4))
        self._command = [str(binary), *(f"--config={path}" for path in configurations)]
        self._variables = {
            "RAGFAULT_HTTP_ADDR": f"127.0.0.1:{self.http}",
            "RAGFAULT_GRPC_ADDR": f"127.0.0.1:{self.grpc}",
            "RAGFAULT_HEALTH_ADDR": f"127.0.0.1:{self.health}",
            "RAGFAULT_METRICS_PORT": str(self.metrics),
            **variables,
        }
        self._process = None

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self.http}"

    @property
    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8")

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self.folder, env=environment(self._variables), stdout=log, stderr=log
            )
        eventually(self._is_ready, what="a healthy Collector")
        return self

    def _is_ready(self):
        if self._process.poll() is not None:
            raise AssertionError(f"the Collector ended with {self._process.returncode}:\n{self.log}")
        try:
            return ask(self.health, "GET", "/") == 200
        except OSError:  # it does not listen yet
            return False

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
