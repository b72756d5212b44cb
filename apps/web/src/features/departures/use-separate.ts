import { separateDepartures } from '@tour-ops/contract/departures/combine'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import { useDepartureWrite } from './use-departure-write.ts'

/** Undoes that a departure was combined with another one, and says so or why not. */
export function useSeparate(): (departure: { id: string; version: number }) => void {
  const { mutateAsync } = useDepartureWrite(separateDepartures)
  // The dialog that offers it is gone by then, and with it what a mutation calls back; its promise is not.
  return ({ id, version }) =>
    void mutateAsync({ id, version })
      .then(({ code, missing }) =>
        toast(
          missing > 0 ? m.departures_separated_missing({ code, count: missing }) : m.departures_separated({ code }),
        ),
      )
      .catch((refused: unknown) => toast(refusalText(refused)))
}
