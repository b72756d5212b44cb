import { formHoldSeconds, holdSeats, releaseSeats } from '@tour-ops/contract/bookings/form-holds'
import type { In } from '@tour-ops/contract/callable'
import { useEffect, useRef, useState } from 'react'
import { currentBackend } from '../../backend/port.ts'

/** What a form would sell. */
export type WantedSeats = Pick<In<typeof holdSeats>, 'departureId' | 'seats' | 'channel'>

/** Twice in the life of a hold, so that one lost renewal does no harm. */
const renewMs = formHoldSeconds * 500
/** Somebody who counts up to six wants six. */
const settleMs = 500

export interface FormHoldOptions {
  readonly formId: string
  /** Null: nothing, and what was held is released. */
  readonly wanted: WantedSeats | null
  /** The sale takes what is held: neither renewed nor released meanwhile. */
  readonly isSelling: boolean
}

/** Longest that a sale waits for a hold that is on its way. */
const patienceMs = 3_000

export interface HeldByForm {
  readonly seats: number
  /** The end of what is on its way: a hold that arrives after the sale of its form would hold other seats. */
  readonly settled: () => Promise<void>
}

/**
 * Holds seats while the form is open and visible, and releases them when it is left; of a tab that is closed the hold ends by itself.
 * A refusal is no error of the form: the availability says how many seats are left.
 */
export function useFormHold({ formId, wanted, isSelling }: FormHoldOptions): HeldByForm {
  const [held, setHeld] = useState(0)
  const turns = useRef<Promise<void> | null>(null)
  const { departureId, seats, channel } = wanted ?? {}
  useEffect(() => {
    if (isSelling) return
    // one after the other, or an older answer would win
    const inTurn = (step: () => Promise<void>) => {
      turns.current = (turns.current ?? Promise.resolve()).then(step).catch(() => setHeld(0))
    }
    const release = async () => {
      setHeld(0)
      await currentBackend().call(releaseSeats, { formId })
    }
    if (departureId === undefined || seats === undefined) {
      if (turns.current) inTurn(release)
      return
    }
    const hold = () => {
      if (document.visibilityState !== 'visible') return
      inTurn(async () => {
        try {
          await currentBackend().call(holdSeats, { formId, departureId, seats, ...(channel && { channel }) })
          setHeld(seats)
        } catch {
          await release()
        }
      })
    }
    const settling = setTimeout(hold, settleMs)
    const renewing = setInterval(hold, renewMs)
    document.addEventListener('visibilitychange', hold)
    return () => {
      clearTimeout(settling)
      clearInterval(renewing)
      document.removeEventListener('visibilitychange', hold)
    }
  }, [formId, departureId, seats, channel, isSelling])
  useEffect(
    () => () => {
      const release = () => currentBackend().call(releaseSeats, { formId })
      if (turns.current) void turns.current.then(release).catch(() => undefined)
    },
    [formId],
  )
  const settled = async () => {
    await Promise.race([turns.current, new Promise((resolve) => setTimeout(resolve, patienceMs))])
  }
  return { seats: held, settled }
}
