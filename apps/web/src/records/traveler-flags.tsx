import type { GuestFlag } from '@tour-ops/contract/bookings/manifest'
import type { DietaryNeed, MobilityNeed } from '@tour-ops/contract/travelers/needs'
import {
  Accessibility,
  FileWarning,
  Fish,
  Footprints,
  Leaf,
  Lock,
  type LucideIcon,
  Milk,
  Nut,
  Users,
  Utensils,
  WheatOff,
} from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { type FlagItem, Flags, FlagsInColumn } from '../ui/chip.tsx'

/** Amber is for what can harm or stop somebody; preferences and mobility stay neutral. */
const looks: Record<GuestFlag, { label: () => string; icon: LucideIcon; tone?: 'warn' }> = {
  vegetarian: { label: m.travelers_flag_vegetarian, icon: Leaf },
  vegan: { label: m.travelers_flag_vegan, icon: Leaf },
  halal: { label: m.travelers_flag_halal, icon: Utensils },
  kosher: { label: m.travelers_flag_kosher, icon: Utensils },
  gluten_free: { label: m.travelers_flag_gluten_free, icon: WheatOff },
  dairy_free: { label: m.travelers_flag_dairy_free, icon: Milk },
  nut_allergy: { label: m.travelers_flag_nut_allergy, icon: Nut, tone: 'warn' },
  shellfish_allergy: { label: m.travelers_flag_shellfish_allergy, icon: Fish, tone: 'warn' },
  other_diet: { label: m.travelers_flag_other_diet, icon: Utensils },
  cane: { label: m.travelers_flag_cane, icon: Footprints },
  wheelchair: { label: m.travelers_flag_wheelchair, icon: Accessibility },
  no_stairs: { label: m.travelers_flag_no_stairs, icon: Footprints },
  other_mobility: { label: m.travelers_flag_other_mobility, icon: Accessibility },
  child_seat: { label: m.travelers_flag_child_seat, icon: Users },
  medical: { label: m.travelers_flag_medical, icon: Lock },
  document_missing: { label: m.travelers_flag_document_missing, icon: FileWarning, tone: 'warn' },
  document_expiring: { label: m.travelers_flag_document_expiring, icon: FileWarning, tone: 'warn' },
  possible_duplicate: { label: m.travelers_flag_possible_duplicate, icon: Users, tone: 'warn' },
}

/** The word of a flag, for filters. */
export const travelerFlagLabel = (flag: GuestFlag): string => looks[flag].label()

/** A need as icon and word, larger than a flag: for the guide's phone. */
export function TravelerNeed({ flag }: { flag: GuestFlag }) {
  const { icon: Icon, label } = looks[flag]
  return (
    <span className="duty-need">
      <Icon size={16} aria-hidden />
      {label()}
    </span>
  )
}

export const dietLabel = (need: DietaryNeed): string => travelerFlagLabel(need === 'other' ? 'other_diet' : need)

export const mobilityLabel = (need: MobilityNeed): string =>
  need === 'none' ? m.travelers_mobility_none() : travelerFlagLabel(need === 'other' ? 'other_mobility' : need)

/** Warnings first. */
const itemsOf = (flags: readonly GuestFlag[]): FlagItem[] =>
  flags
    .toSorted((a, b) => Number(looks[b].tone === 'warn') - Number(looks[a].tone === 'warn'))
    .map((flag) => ({ label: looks[flag].label(), icon: looks[flag].icon, tone: looks[flag].tone ?? 'neutral' }))

/** What a crew must know about a guest: two flags, warnings first, then a number with the rest in its name. */
export const TravelerFlags = ({ flags, max = 2 }: { flags: readonly GuestFlag[]; max?: number }) => (
  <Flags max={max} flags={itemsOf(flags)} />
)

/** The same in a column of a table. */
export const TravelerFlagsColumn = ({ flags }: { flags: readonly GuestFlag[] }) => (
  <FlagsInColumn flags={itemsOf(flags)} />
)
