let underWay = 0

/** Whether code is being loaded that nobody waits for yet. */
export const isLoadingQuietly = (): boolean => underWay > 0

/**
 * Loads code ahead. Should that fail, nothing happens: the page is not reloaded under somebody's hands for what they may never ask for.
 *
 * @throws what `load` does.
 */
export async function loadQuietly<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  underWay += 1
  try {
    return await load()
  } finally {
    underWay -= 1
  }
}
