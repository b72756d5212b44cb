import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Identity } from '../../../identity/port.ts'
import { isCutOff } from './network.ts'

/** A hosted service's script that did not come is asked for again so often. */
const startAgainMs = 5_000

/**
 * What the identity service needs on the page (`Root`), from the first network on. A hosted service tries for 15 s and then never again by itself,
 * which is shorter than most gaps in a phone's day: it is started again until it has come. What the phone keeps is elsewhere and stays.
 */
export function serviceRoot(
  Root: ComponentType<{ children: ReactNode }>,
  identity: Pick<Identity, 'state' | 'subscribe'>,
): ComponentType {
  return function ServiceRoot() {
    const [attempt, setAttempt] = useState(isCutOff() ? 0 : 1)
    const hasFailed = useSyncExternalStore(identity.subscribe, () => identity.state().trouble === 'failed')
    useEffect(() => {
      if (attempt > 0 && !hasFailed) return
      const start = () => setAttempt((last) => last + 1)
      const again = attempt > 0 ? setTimeout(() => !isCutOff() && start(), startAgainMs) : undefined
      addEventListener('online', start)
      return () => {
        clearTimeout(again)
        removeEventListener('online', start)
      }
    }, [attempt, hasFailed])
    return attempt > 0 && <Root key={attempt}>{null}</Root>
  }
}
