import { countsInMiles, metersPerFoot } from '../../../ui/format.ts'

/** What a radius is typed in: the unit of heights, which is fine enough for a parking lot. */
export const radiusUnit = (): { readonly sign: string; readonly meters: number } =>
  countsInMiles() ? { sign: 'ft', meters: metersPerFoot } : { sign: 'm', meters: 1 }
