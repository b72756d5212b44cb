import { create } from 'zustand'
import { useAuthStore } from '../identity/auth-store.ts'
import type { LoaderState } from '../identity/startup.ts'
import { stillConnectingAfterMs } from '../constants.ts'
import { useNow } from '../ui/clock.ts'

/** Progress of the start-up, as the state machine of `identity/startup.ts` reports it. */
export const useLoader = create<LoaderState>(() => ({ progress: 0, startedAt: Date.now() }))

/** `starting` is the ordinary wait of a moment; `stuck` is the one that needs words; `failed` has an error to show. */
export type StartupPhase = 'starting' | 'stuck' | 'failed' | 'done'

/** Where the start-up is, and for how long it has been there. */
export function useStartupPhase(): { phase: StartupPhase; waitedMs: number } {
  const { isInitialized, isLoading, initializationError } = useAuthStore()
  const startedAt = useLoader((loader) => loader.startedAt)
  const isOver = !isLoading && (isInitialized || initializationError !== null)
  const waitedMs = useNow(isOver ? null : 1_000) - startedAt
  if (isOver) return { phase: isInitialized ? 'done' : 'failed', waitedMs }
  return { phase: waitedMs < stillConnectingAfterMs ? 'starting' : 'stuck', waitedMs }
}
