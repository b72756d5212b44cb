import { channels } from '@tour-ops/contract/bookings/channels'
import { mergedGroup } from '@tour-ops/contract/reports/reports'
import { dietaryNeeds, mobilityNeeds } from '@tour-ops/contract/travelers/needs'
import { dietLabel, mobilityLabel } from '../../records/traveler-flags.tsx'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { formatCountry, formatLanguage } from '../../ui/format.ts'

const isOneOf = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word)

/** Parts of a whole that the traveler report names; nationalities are its rows. */
const mixes: Record<string, { title: () => string; partOf: (key: string) => string }> = {
  language: { title: m.reports_mix_language, partOf: formatLanguage },
  age: { title: m.reports_mix_age, partOf: (band) => band },
  party: { title: m.reports_mix_party, partOf: (size) => size },
  lead: { title: m.reports_mix_lead, partOf: (days) => days },
  channel: { title: m.reports_mix_channel, partOf: (key) => (isOneOf(channels, key) ? saleChannelLabel(key) : key) },
  dietary: { title: m.reports_mix_dietary, partOf: (key) => (isOneOf(dietaryNeeds, key) ? dietLabel(key) : key) },
  mobility: {
    title: m.reports_mix_mobility,
    partOf: (key) => (isOneOf(mobilityNeeds, key) ? mobilityLabel(key) : key),
  },
}

/** Keys that mean the same in every mix. */
const commonLabels: Record<string, () => string> = {
  unknown: m.reports_mix_unknown,
  none: m.reports_mix_none,
  [mergedGroup]: m.reports_mix_merged,
}

/** The title of a mix; undefined for one that is shown elsewhere. */
export const mixTitle = (of: string): string | undefined => mixes[of]?.title()

export const partLabel = (of: string, key: string): string => commonLabels[key]?.() ?? mixes[of]?.partOf(key) ?? key

/** A row of the traveler report: a country, or what several have in common. */
export const nationalityLabel = (key: string): string => commonLabels[key]?.() ?? formatCountry(key)
