"""The examples for CI: they parse, every step runs under bash with the real command, and comments are posted once."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from otel_ragfault.model import Config
from paths import REPOSITORY

CI = REPOSITORY / "examples" / "ci"
MUSEUM = REPOSITORY / "examples" / "planted_bugs"
MARKER = "<!-- otel-ragfault gate -->"
SHELL = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]  # as GitHub starts it


def read(name):
    return yaml.safe_load((CI / name).read_text(encoding="utf-8"))


# --- an API that keeps comments


class Comments(BaseHTTPRequestHandler):
    """What GitHub and GitLab share: comments that are listed in pages, made and changed."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        size, page = (int(query[name][0]) for name in ("per_page", "page"))
        self._answer(200, self.server.comments[(page - 1) * size : page * size])

    def do_POST(self):
        comment = {"id": len(self.server.comments) + 1, **self._body()}
        self.server.comments.append(comment)
        self._answer(201, comment)

    def do_PATCH(self):
        number = int(urlsplit(self.path).path.rsplit("/", 1)[1])
        self.server.comments[number - 1].update(self._body())
        self._answer(200, self.server.comments[number - 1])

    do_PUT = do_PATCH  # noqa: N815 - the name that http.server looks for

    def _body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, status, value):
        self.server.asked.append((self.command, urlsplit(self.path).path, dict(self.headers)))
        data = json.dumps(value).encode()
        status = self.server.refuse or status
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def api():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Comments)
    server.comments, server.asked, server.refuse = [], [], None
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def variables(system, api):
    address = f"http://127.0.0.1:{api.server_address[1]}"
    if system == "github":
        return {"GITHUB_TOKEN": "t", "GITHUB_API_URL": address, "GITHUB_REPOSITORY": "o/r", "PULL_REQUEST": "7"}
    return {"GITLAB_TOKEN": "t", "CI_API_V4_URL": address, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7"}


def comment(system, file, env):
    return subprocess.run(
        [sys.executable, CI / "comment.py", system, file],
        env={"PATH": os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def markdown(tmp_path):
    file = tmp_path / "gate.md"
    file.write_text(f"{MARKER}\n## first é\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("system", "method", "made", "changed"),
    [
        pytest.param("github", "PATCH", "/repos/o/r/issues/7/comments", "/repos/o/r/issues/comments/131", id="github"),
        pytest.param(
            "gitlab", "PUT", "/projects/3/merge_requests/7/notes", "/projects/3/merge_requests/7/notes/131", id="gitlab"
        ),
    ],
)
def test_a_comment_is_made_once_and_updated_then(api, markdown, system, method, made, changed):
    api.comments += [{"id": number, "body": f"comment {number}"} for number in range(1, 131)]  # two pages of others
    first = comment(system, markdown, variables(system, api))
    assert (first.returncode, first.stdout, first.stderr) == (0, "comment 131 was made\n", "")
    markdown.write_text(f"{MARKER}\n## second\n", encoding="utf-8")
    second = comment(system, markdown, variables(system, api))
    assert (second.returncode, second.stdout) == (0, "comment 131 was updated\n")
    assert [one["body"] for one in api.comments[130:]] == [f"{MARKER}\n## second\n"]
    writes = [(name, path) for name, path, _ in api.asked if name != "GET"]
    assert writes == [("POST", made), (method, changed)]


def test_what_stands_in_a_comment_of_somebody_else_is_left_alone(api, markdown):
    api.comments.append({"id": 1, "body": f"> {MARKER}\nquoted"})
    comment("github", markdown, variables("github", api))
    assert [one["body"][:8] for one in api.comments] == [f"> {MARKER}"[:8], MARKER[:8]]


@pytest.mark.parametrize(
    ("missing", "refuse", "words"),
    [
        pytest.param("GITHUB_TOKEN", None, "the variable GITHUB_TOKEN is not set", id="no token"),
        pytest.param(None, 403, "HTTP Error 403", id="a token that may not write"),
    ],
)
def test_a_comment_that_cannot_be_posted_is_a_warning(api, markdown, missing, refuse, words):
    api.refuse = refuse
    env = {name: value for name, value in variables("github", api).items() if name != missing}
    ran = comment("github", markdown, env)
    assert ran.returncode == 0
    assert ran.stdout.startswith("::warning::no comment: ")
    assert words in ran.stdout


# --- structure


def test_the_action_declares_what_its_steps_use_and_pastes_nothing_into_a_script():
    action = read("action.yml")
    text = (CI / "action.yml").read_text(encoding="utf-8")
    assert action["runs"]["using"] == "composite"
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action["inputs"])
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
    assert all(one["description"] for one in action["inputs"].values())


def test_the_workflow_pins_every_action_and_gives_inputs_that_there_are():
    workflow = read("github-workflow.yml")
    (job,) = workflow["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert all(re.search(r"@[0-9a-f]{40}$", one) for one in used if not one.startswith("./"))
    (gate,) = [step for step in job["steps"] if step.get("uses", "").startswith("./")]
    action = read("action.yml")
    assert set(gate["with"]) <= set(action["inputs"])
    assert {name for name, one in action["inputs"].items() if one.get("required")} <= set(gate["with"])
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write", "security-events": "write"}


def test_the_gitlab_job_keeps_its_reports_whatever_happens():
    (job,) = read("gitlab-ci.yml").values()
    assert job["artifacts"]["when"] == "always"
    assert job["artifacts"]["reports"]["junit"] == f"{job['variables']['GATE_REPORTS']}/gate.xml"


def test_the_configuration_in_the_page_is_one():
    (block,) = re.findall(
        r"^```toml\n(.*?)^```", (CI / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    config = Config.model_validate(tomllib.loads(block)).gate
    assert [rule.name for rule in config.require] == ["passed", "label:unknown"]
    assert [rule.name for rule in config.no_regression] == ["boundary:retrieval", "recall_groups@5 [policy]"]


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_finds_nothing(tmp_path):
    scripts = [CI / "gate.sh"]
    for number, step in enumerate(read("action.yml")["runs"]["steps"]):
        script = tmp_path / f"step{number}.sh"
        script.write_text(f"#!/usr/bin/env bash\n{step['run']}\n", encoding="utf-8")
        scripts.append(script)
    ran = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


# --- the steps, run


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """What a runner has checked out: the examples, the action at its place, and a baseline that is committed."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(MUSEUM, folder / "examples" / "planted_bugs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(CI, folder / ".github" / "actions" / "rag-gate")
    shutil.copytree(CI, folder / "ci" / "rag-gate")
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(sys.executable)
    steps = [*setup("baseline"), "ragfault gate --db rag.duckdb --write-baseline examples/planted_bugs/baseline.json"]
    for step in steps:
        ran = bash(step, folder)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    for path in folder.glob("rag.duckdb*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder


def setup(run):
    """The steps of the workflow that run the pipeline and label it, without the installation."""
    (job,) = read("github-workflow.yml")["jobs"].values()
    steps = [step["run"] for step in job["steps"] if "run" in step and "pip install" not in step["run"]]
    return [step.replace("candidate", run) for step in steps]


def bash(script, folder, **env):
    path = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [*SHELL, script],
        cwd=folder,
        env={"PATH": path, "HOME": str(folder), "LANG": "C.UTF-8", **env},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def workspace(checkout, tmp_path):
    return Path(shutil.copytree(checkout, tmp_path / "work", symlinks=True))


def filled(text, inputs):
    """A value of ``env`` as the runner fills it in."""
    known = {f"inputs.{name}": value for name, value in inputs.items()}
    known["github.event.pull_request.number"] = "7"
    return re.sub(r"\$\{\{\s*([^}]+?)\s*\}\}", lambda found: known.get(found[1], ""), str(text))


def run_workflow(workspace, api, *, bug=None):
    """Run the job of the workflow as GitHub would; return the exit code of the action, and its summary."""
    for step in setup("candidate"):
        ran = bash(step.replace("run.py rag.duckdb", f"run.py rag.duckdb{f' --bug {bug!r}' if bug else ''}"), workspace)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    (job,) = read("github-workflow.yml")["jobs"].values()
    (gate,) = [step for step in job["steps"] if step.get("uses", "").startswith("./")]
    action = read("action.yml")
    inputs = (
        {name: str(one.get("default", "")) for name, one in action["inputs"].items()} | gate["with"] | {"token": "t"}
    )
    summary, output = workspace / "summary.md", workspace / "output"
    runner = {
        "GITHUB_ACTION_PATH": str(workspace / ".github" / "actions" / "rag-gate"),
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_OUTPUT": str(output),
        **{name: value for name, value in variables("github", api).items() if name.startswith("GITHUB_")},
    }
    code = None
    for step in action["runs"]["steps"]:
        env = {name: filled(value, inputs) for name, value in step.get("env", {}).items()}
        if step["name"] == "Verdict":
            env["EXIT_CODE"] = output.read_text(encoding="utf-8").strip().removeprefix("exit-code=")
        ran = bash(step["run"], workspace, **{**runner, **env})
        code = ran.returncode
        assert code == 0 or step["name"] == "Verdict", ran.stdout + ran.stderr
    return code, summary.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("bug", "code", "heading"),
    [
        pytest.param(None, 0, "## ✅ RAG gate: passed", id="nothing changed"),
        pytest.param("shrink the budget", 1, "## ❌ RAG gate: failed, lost at assembly", id="a planted bug"),
    ],
)
def test_the_workflow_runs_gates_and_comments(workspace, api, bug, code, heading):
    found, summary = run_workflow(workspace, api, bug=bug)
    assert found == code
    assert summary.splitlines()[:2] == [MARKER, heading]
    assert [one["body"].splitlines()[1] for one in api.comments] == [heading]
    assert sorted(path.name for path in (workspace / "ragfault-gate").iterdir()) == [
        "gate.json",
        "gate.log",
        "gate.md",
        "gate.sarif",
        "gate.xml",
    ]


def test_the_gitlab_job_gates_and_leaves_a_note(workspace, api):
    (job,) = read("gitlab-ci.yml").values()
    env = {name: str(value) for name, value in job["variables"].items()} | variables("gitlab", api)
    for line in job["script"]:
        if "pip install" not in line:
            ran = bash(line.replace("run.py rag.duckdb", "run.py rag.duckdb --bug 'lower k'"), workspace, **env)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    for line in job["after_script"]:
        assert bash(line, workspace, **env).returncode == 0
    assert [one["body"].splitlines()[1] for one in api.comments] == ["## ❌ RAG gate: failed, lost at retrieval"]
    assert (workspace / job["artifacts"]["reports"]["junit"]).is_file()


def test_a_gate_that_cannot_be_run_says_why_and_is_no_pass(workspace):
    ran = bash("./ci/rag-gate/gate.sh", workspace, GATE_DB="no such.duckdb", GATE_BASELINE="$(touch stolen)")
    assert ran.returncode == 2
    assert ran.stdout.splitlines()[1] == "## ❌ RAG gate: could not be run (exit code 2)"
    assert "no such database" in ran.stdout
    assert not (workspace / "stolen").exists()
