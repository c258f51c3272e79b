"""Every configuration is accepted by the real Collector, and the manifest is what they use."""

import hashlib
import json
import re
import shutil
import subprocess

import pytest

from collector.running import CONFIGURATIONS, environment

MANIFEST = CONFIGURATIONS / "builder.yaml"
OPTIONS = [f"options/{name}.yaml" for name in ("require-token", "send-token", "receive-tls", "debug")]
COMBINATIONS = [
    ("agent.yaml",),
    ("gateway.yaml",),
    ("file.yaml",),
    ("gateway.yaml", "options/backend.yaml"),
    *[("agent.yaml", option) for option in OPTIONS],
    *[("gateway.yaml", option) for option in OPTIONS],
    ("file.yaml", "options/receive-tls.yaml"),
    ("file.yaml", "options/debug.yaml"),
    ("gateway.yaml", "options/backend.yaml", *OPTIONS),
]
GRPC = {"RAGFAULT_BACKEND_EXPORTER": "otlp_grpc/backend"}
VARIABLE = re.compile(r"\$\{env:(\w+)(?::-[^}]*)?\}")


@pytest.fixture
def run(otelcol, tmp_path):
    """Run a command of the Collector with configurations; files that options name are there."""
    files = {"RAGFAULT_TOKEN_FILE": "token", "RAGFAULT_TLS_CERT": "cert.pem", "RAGFAULT_TLS_KEY": "key.pem"}
    for name in files.values():
        (tmp_path / name).write_text("secret\n", encoding="utf-8")

    def call(*arguments, configurations=(), **variables):
        command = [str(otelcol), *arguments, *(f"--config={CONFIGURATIONS / one}" for one in configurations)]
        env = environment({**files, **variables})
        return subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, timeout=60, check=False)

    return call


@pytest.fixture
def resolved(run):
    """What the Collector makes of configurations: variables replaced, files merged, defaults filled in."""

    def read(*configurations, **variables):
        arguments = ("print-config", "--format=json")
        done = run(*arguments, configurations=configurations, **variables)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return read


def _names(configurations):
    return "+".join(configurations)


@pytest.mark.otelcol
@pytest.mark.parametrize("configurations", COMBINATIONS, ids=_names)
def test_the_collector_accepts_a_configuration(run, configurations):
    done = run("validate", configurations=configurations)
    assert done.returncode == 0, done.stderr


@pytest.mark.otelcol
@pytest.mark.parametrize("wrong", ["RAGFAULT_REDACT", "RAGFAULT_SAMPLE_PERCENT", "RAGFAULT_QUEUE_BYTES"])
def test_a_setting_that_is_not_understood_is_refused(run, wrong):
    assert run("validate", configurations=["gateway.yaml"], **{wrong: "perhaps"}).returncode != 0


def test_every_file_is_in_a_combination():
    files = {str(path.relative_to(CONFIGURATIONS)) for path in CONFIGURATIONS.rglob("*.yaml")} - {MANIFEST.name}
    assert files == {name for combination in COMBINATIONS for name in combination}


@pytest.mark.otelcol
def test_the_manifest_lists_what_the_configurations_use_and_no_more(run, resolved):
    kinds = ("receivers", "processors", "connectors", "exporters", "extensions")
    known = _modules_by_type(run("components").stdout)
    used = set()
    for configurations in COMBINATIONS:
        for variables in ({}, GRPC):
            used |= _used(resolved(*configurations, **variables))
    manifest = _manifest()
    assert {known[one] for one in used} == {one for kind in kinds for one in manifest[kind]}


def _modules_by_type(components):
    """The module of each type of component, such as ``("exporters", "file")``."""
    found, kind = {}, None
    for line in components.splitlines():
        if heading := re.fullmatch(r"(\w+):", line):
            kind = heading[1]
        elif name := re.fullmatch(r"\s+-? ?name: (\S+)", line):
            last = name[1]
        elif module := re.fullmatch(r"\s+-? ?module: (\S+ \S+)", line):
            found[kind, last] = module[1]
    return found


def _used(config):
    """The types that the service of a configuration starts."""
    service = config["service"]
    found = {("extensions", _type(name)) for name in service["extensions"]}
    connectors = set(config.get("connectors") or {})
    for pipeline in service["pipelines"].values():
        for kind in ("receivers", "processors", "exporters"):
            names = pipeline.get(kind) or []
            found |= {("connectors" if name in connectors else kind, _type(name)) for name in names}
    return found


def _type(name):
    return name.split("/")[0]


def _manifest():
    """The modules of the manifest, by kind."""
    found, kind = {}, None
    for line in MANIFEST.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"(\w+):", line):
            kind = heading[1]
        elif module := re.fullmatch(r"\s+- gomod: (\S+ v\S+)", line):
            found.setdefault(kind, set()).add(module[1])
    return found


@pytest.mark.otelcol
@pytest.mark.parametrize(
    "configurations", [("agent.yaml",), ("gateway.yaml", "options/backend.yaml"), ("file.yaml",)], ids=_names
)
def test_nothing_leaves_or_listens_beyond_loopback_unless_it_is_told_to(resolved, configurations):
    text = json.dumps(resolved(*configurations))
    endpoints = re.findall(r'"endpoint": "([^"]+)"', text)
    assert endpoints
    assert all(re.match(r"(http://)?127\.0\.0\.1:\d+$", endpoint) for endpoint in endpoints)


@pytest.mark.otelcol
def test_with_defaults_an_agent_finds_its_gateway_and_nothing_sends_to_itself(resolved):
    agent, gateway = resolved("agent.yaml"), resolved("gateway.yaml", "options/backend.yaml")
    assert _next(agent) == "http://" + gateway["receivers"]["otlp"]["protocols"]["http"]["endpoint"]
    listening = {address for one in (agent, gateway) for address in _addresses(one)}
    assert len(listening) == 6
    sent_to = {exporter["endpoint"].removeprefix("http://") for exporter in gateway["exporters"].values()}
    assert not sent_to & listening


def _next(config):
    return config["exporters"]["otlp_http/next"]["endpoint"]


def _addresses(config):
    protocols = config["receivers"]["otlp"]["protocols"].values()
    return [one["endpoint"] for one in (*protocols, config["extensions"]["health_check"])]


@pytest.mark.otelcol
def test_removal_of_content_is_the_same_everywhere(resolved):
    gateway, file = resolved("gateway.yaml")["processors"], resolved("file.yaml")["processors"]
    first = _removed(gateway["transform/redact"])
    assert first == _removed(gateway["transform/redact_backend"]) == _removed(file["transform/redact"])


def _removed(processor):
    groups = [group for signal in ("trace", "log") for group in processor[f"{signal}_statements"]]
    return [group["statements"] for group in groups]


@pytest.mark.otelcol
@pytest.mark.parametrize("configurations", COMBINATIONS, ids=_names)
def test_log_records_go_wherever_spans_go_and_through_the_same_but_sampling(resolved, configurations):
    pipelines = resolved(*configurations)["service"]["pipelines"]
    spans, logs = ({name: pipelines[name] for name in pipelines if _type(name) == one} for one in ("traces", "logs"))
    assert json.loads(json.dumps(spans).replace("traces", "logs").replace("forward/sampled", "forward/logs")) == {
        name: {**pipeline, "processors": _unsampled(name, pipeline)} for name, pipeline in logs.items()
    }


def _unsampled(name, pipeline):
    """The processors of a pipeline of logs, and the sampler that the one of spans has beside them."""
    return [*(pipeline["processors"] or []), *(["tail_sampling"] if name == "logs/in" else [])] or pipeline[
        "processors"
    ]


@pytest.mark.otelcol
@pytest.mark.parametrize("configurations", [("agent.yaml",), ("gateway.yaml", "options/backend.yaml")], ids=_names)
def test_what_is_sent_waits_on_disk_and_for_ever(resolved, configurations):
    config = resolved(*configurations)
    for exporter in config["exporters"].values():
        assert exporter["sending_queue"]["storage"] == "file_storage"
        assert exporter["retry_on_failure"]["max_elapsed_time"] in (0, "0s")
    assert config["extensions"]["file_storage"]["fsync"] is True


def test_the_readme_explains_every_variable_and_file():
    readme = (CONFIGURATIONS / "README.md").read_text(encoding="utf-8")
    files = [path for path in CONFIGURATIONS.rglob("*.yaml") if path != MANIFEST]
    used = {name for path in files for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert used == set(re.findall(r"^\| `(RAGFAULT_\w+)`", readme, re.MULTILINE))
    assert all(str(path.relative_to(CONFIGURATIONS)) in readme for path in files)


def _build(out, path):
    env = {**environment({}), "PATH": str(path)}
    command = ["/bin/bash", str(CONFIGURATIONS / "build.sh"), str(out)]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=60, check=False)


@pytest.fixture
def without_go(tmp_path):
    """A folder for PATH with what the script needs, except Go."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("cat", "uname", "sha256sum", "cut", "dirname", "mkdir"):
        (folder / name).symlink_to(shutil.which(name))
    return folder


def test_building_without_go_says_so_in_one_line(tmp_path, without_go):
    done = _build(tmp_path / "out", without_go)
    assert done.returncode == 2
    assert re.fullmatch(r"build\.sh: no go command was found; .* wanted; .*\n", done.stderr)


def test_what_was_built_from_the_same_manifest_is_not_built_again(tmp_path, without_go):
    sources = [(CONFIGURATIONS / name).read_bytes() for name in ("builder.yaml", "build.sh")]
    machine = subprocess.run(["uname", "-sm"], capture_output=True, check=True).stdout
    binary = tmp_path / "otelcol-ragfault"
    binary.write_text("built before", encoding="utf-8")
    binary.chmod(0o755)
    stamp = hashlib.sha256(b"".join([*sources, machine])).hexdigest()
    (tmp_path / "otelcol-ragfault.sha256").write_text(f"{stamp}\n", encoding="utf-8")
    assert _build(tmp_path, without_go).returncode == 0
    assert binary.read_text(encoding="utf-8") == "built before"
