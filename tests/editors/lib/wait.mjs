// Waiting for something to become true, with a deadline and a reason.

/** Polls `probe` until it gives a truthy value, which is returned. An error of the probe ends the wait at once. */
export async function until(probe, { what, timeout = 15_000, every = 50 }) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await probe();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${timeout} ms for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
