import { useQuery } from '@tanstack/react-query'
import { getManifest } from '@tour-ops/contract/bookings/manifest'
import { callQuery } from '../../backend/queries.ts'

/** The manifest as the drawer and its footer read it. */
export const useManifest = (departureId: string, isWanted = true) =>
  useQuery({ ...callQuery(getManifest, { departureId }), enabled: isWanted })

/** Guests that are ticked. */
export interface Selection {
  ids: ReadonlySet<string>
  set: (ids: ReadonlySet<string>) => void
}
