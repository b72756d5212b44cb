import { zoneNameToday } from '@tour-ops/contract/zone-names'

/** IANA names of zones to choose from, UTC among them. */
export const timeZones = (): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(zoneNameToday)])].toSorted()

/** A zone for pickers; what is stored may have a name that is not among those to choose from. */
export const zoneOption = (value: string): { value: string; label: string } => ({
  value,
  label: value.replaceAll('_', ' '),
})
