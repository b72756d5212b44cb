import type { QueryClient } from '@tanstack/react-query'
import { startReads } from '@tour-ops/contract/start-reads'
import { callQuery } from '../backend/queries.ts'
import type { AuthRecords } from '../identity/auth-store.ts'

/** The first picture of the application waits this long at most for its data; until then there is the static frame. */
const waitMs = 500

interface FirstAnswersParts {
  readonly cache: Pick<QueryClient, 'prefetchQuery'>
  readonly auth: {
    getState(): Pick<AuthRecords, 'isInitialized' | 'initializationError' | 'isBackendSignedIn' | 'organization'>
    subscribe(listener: () => void): () => void
  }
}

/**
 * Waits until what the screen reads first is in the cache, where its answers came together with the document: it is drawn once, with its
 * data, and not first empty. Readers who are not signed in, slow answers and failures are left to the page.
 *
 * @param screen The name of a start; undefined for a page that has none, which does not wait.
 */
export async function takeFirstAnswers(screen: string | undefined, { cache, auth }: FirstAnswersParts): Promise<void> {
  const reads = startReads[screen ?? '']
  if (!reads) return
  const loading = reads()
  const take = async () => {
    const [known] = await Promise.all([loading, whenDecided(auth)])
    const { isBackendSignedIn, organization } = auth.getState()
    if (isBackendSignedIn && organization)
      await Promise.all(known.map((read) => cache.prefetchQuery(callQuery(read, {}))))
  }
  // the page meets the same failure, and has the words for it
  const taken = take().catch(() => undefined)
  await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, waitMs))])
}

/** Until it is known who is here, or that this cannot be known. */
function whenDecided(auth: FirstAnswersParts['auth']): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): void => undefined
    const look = (): void => {
      const { isInitialized, initializationError } = auth.getState()
      if (!isInitialized && !initializationError) return
      stop()
      resolve()
    }
    stop = auth.subscribe(look)
    look()
  })
}
