// A scenario: a world, a workbench in it, and steps.
import { Workbench } from "./workbench.mjs";

/** Settings with which no job runs by itself. */
export const QUIET = {
  "memdir.extract.auto": "off",
  "memdir.consolidate.auto": "off",
  "memdir.notes.enabled": false,
};

/** Options of a scenario whose server talks to the scripted `model` (`startModel`). */
export function withModel(model, name, theme, settings) {
  return {
    name: `${name}-${theme}`,
    theme,
    settings,
    env: model.env,
    vsix: process.env.MEMDIR_TEST_VSIX,
  };
}

/** Runs a scenario in a world of its own; a failure leaves a picture and the logs. */
export async function scenario(world, options, steps) {
  let workbench;
  let failed = false;
  try {
    workbench = await Workbench.open(world, options);
    await steps(workbench);
  } catch (error) {
    failed = true;
    console.error(error);
    if (workbench) {
      console.error(`picture: ${await workbench.shot("failed").catch(() => "none")}`);
      console.error(workbench.server.logs().slice(-15_000));
    }
  } finally {
    await workbench?.close();
    world.remove();
  }
  if (failed) {
    process.exit(1);
  }
  console.log(`scenario ${options.name}: passed`);
}
