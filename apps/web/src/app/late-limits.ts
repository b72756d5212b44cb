import { defaultLateLimits, type LateLimits } from '@tour-ops/contract/departures/displayed-status'
import { useSyncExternalStore } from 'react'

let limits = defaultLateLimits
const listeners = new Set<() => void>()

/** Sets what the organization calls late. */
export function setLateLimits({ onTimeToleranceMin, atRiskMin }: LateLimits): void {
  if (limits.onTimeToleranceMin === onTimeToleranceMin && limits.atRiskMin === atRiskMin) return
  limits = { onTimeToleranceMin, atRiskMin }
  for (const listener of listeners) listener()
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the organization calls late; the defaults until it is known. */
export const useLateLimits = (): LateLimits => useSyncExternalStore(onChange, () => limits)
