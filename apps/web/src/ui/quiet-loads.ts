let underWay = 0

/** Whether code is being loaded that nobody waits for yet. */
export const isLoadingQuietly = (): boolean => underWay > 0

/**
 * Loads code ahead. A failure has no effect: the page is not reloaded for code that may never be needed.
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
