import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type DiscoverySettings, discover, type Probe, type Probes } from "../../src/server/discovery";

const SETTINGS: DiscoverySettings = { path: "", interpreter: "", managed: "auto", trusted: true };

/** A machine on which these places have `memdir`; asking for anything else is noted too. */
function machine(found: {
  executables?: Record<string, Probe>;
  interpreters?: Record<string, Probe>;
  workspace?: string;
  virtualEnv?: string;
  path?: string;
  managed?: { python: string; version: string } | { error: string };
}): Probes & { asked: string[] } {
  const asked: string[] = [];
  const look = (table: Record<string, Probe> | undefined, place: string): Probe => {
    asked.push(place);
    return table?.[place] ?? { error: "it has no memdir package" };
  };
  return {
    asked,
    executable: async (place) => look(found.executables, place),
    interpreter: async (place) => look(found.interpreters, place),
    workspacePython: async () => found.workspace,
    virtualEnv: () => found.virtualEnv,
    which: () => found.path,
    managed: async () => {
      asked.push("managed");
      return found.managed ?? { error: "no Python" };
    },
    compatible: (version) => version.startsWith("0.1."),
  };
}

describe("order in which the server is found", () => {
  test("the path of the settings wins and nothing else is asked", async () => {
    const probes = machine({ executables: { "/opt/memdir": { version: "0.1.3" } }, path: "/usr/bin/memdir" });
    const { launch } = await discover({ ...SETTINGS, path: "/opt/memdir" }, probes);
    assert.deepEqual(launch, {
      source: "setting-path",
      command: "/opt/memdir",
      args: ["serve"],
      version: "0.1.3",
    });
    assert.deepEqual(probes.asked, ["/opt/memdir"]);
  });

  test("a wrong setting is told, not silently replaced by something else", async () => {
    const probes = machine({
      interpreters: { "/venv/python": { version: "0.1.0" } },
      virtualEnv: "/venv/python",
    });
    const { launch, tried } = await discover({ ...SETTINGS, interpreter: "/gone/python" }, probes);
    assert.equal(launch, undefined);
    assert.deepEqual(tried, [
      { source: "setting-interpreter", place: "/gone/python", why: "it has no memdir package" },
    ]);
  });

  test("workspace Python, virtual environment and PATH are asked in this order", async () => {
    const probes = machine({
      workspace: "/w/python",
      virtualEnv: "/v/python",
      path: "/p/memdir",
      executables: { "/p/memdir": { version: "0.1.0" } },
    });
    const { launch, tried } = await discover(SETTINGS, probes);
    assert.equal(launch?.source, "path");
    assert.deepEqual(probes.asked, ["/w/python", "/v/python", "/p/memdir"]);
    assert.deepEqual(
      tried.map((attempt) => attempt.source),
      ["workspace-python", "virtual-env"],
    );
  });

  test("an interpreter runs the server without its working directory on the import path", async () => {
    const probes = machine({ virtualEnv: "/v/python", interpreters: { "/v/python": { version: "0.1.0" } } });
    const { launch } = await discover(SETTINGS, probes);
    assert.deepEqual(launch?.args, ["-P", "-m", "memdir.cli.main", "serve"]);
  });

  test("a workspace that is not trusted does not choose the interpreter", async () => {
    const probes = machine({
      workspace: "/evil/python",
      interpreters: { "/evil/python": { version: "0.1.0" } },
      managed: { python: "/own/python", version: "0.1.0" },
    });
    const { launch } = await discover({ ...SETTINGS, trusted: false }, probes);
    assert.equal(launch?.source, "managed");
    assert.deepEqual(probes.asked, ["managed"]);
  });

  test("a version of another series is passed over with the reason", async () => {
    const probes = machine({
      path: "/p/memdir",
      executables: { "/p/memdir": { version: "2.0.0" } },
      managed: { python: "/own/python", version: "0.1.0" },
    });
    const { launch, tried } = await discover(SETTINGS, probes);
    assert.equal(launch?.source, "managed");
    assert.match(tried[0]?.why ?? "", /2\.0\.0/);
  });

  test("the own environment comes first with always, and not at all with never", async () => {
    const found = {
      path: "/p/memdir",
      executables: { "/p/memdir": { version: "0.1.0" } },
      managed: { python: "/own/python", version: "0.1.0" },
    };
    const always = await discover({ ...SETTINGS, managed: "always" }, machine(found));
    assert.equal(always.launch?.source, "managed");
    const never = machine({ ...found, executables: {} });
    const { launch, tried } = await discover({ ...SETTINGS, managed: "never" }, never);
    assert.equal(launch, undefined);
    assert.equal(never.asked.includes("managed"), false);
    assert.equal(tried.length, 1);
  });

  test("when nothing does, every place and its reason are named", async () => {
    const { launch, tried } = await discover(SETTINGS, machine({ virtualEnv: "/v/python" }));
    assert.equal(launch, undefined);
    assert.deepEqual(
      tried.map((attempt) => [attempt.source, attempt.why]),
      [
        ["virtual-env", "it has no memdir package"],
        ["managed", "no Python"],
      ],
    );
  });
});
