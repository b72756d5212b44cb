import { setTimeout as sleep } from 'node:timers/promises'
import { publishQuietly, type PublisherParts } from './live-publisher.ts'

/** Later changes go out together: a document of the hosted database takes about one write a second. See ARCHITECTURE.md, "Live documents". */
const windowMs = 1_000
/** Finds changes that no wake-up announced, and repeats what the store refused. */
const pollMs = 30_000

/**
 * Publishes changes as they come, for a server that runs all the time: the first at once, those of the next second together.
 *
 * @returns Stops it, after the publication under way.
 */
export async function startPublishing(parts: PublisherParts): Promise<() => Promise<void>> {
  let isDirty = true
  const closing = new AbortController()
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    while (isDirty && !closing.signal.aborted) {
      isDirty = false
      await publishQuietly(parts)
      await sleep(windowMs)
    }
    running = undefined
  }
  const wake = (): void => {
    isDirty = true
    running ??= run()
  }
  const poll = setInterval(wake, pollMs)
  const unlisten = await parts.db.listen('changes', wake)
  wake()
  return async () => {
    closing.abort()
    clearInterval(poll)
    await unlisten()
    await running
  }
}
