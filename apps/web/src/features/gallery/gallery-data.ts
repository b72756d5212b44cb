/** People for the gallery's list, made up by rule so that every picture is the same. */
export interface GalleryTraveler {
  id: string
  name: string
  country: string
  time: string
  day: string
  tour: string
  state: 'aboard' | 'expected' | 'no_show' | 'confirmed' | 'waitlist' | 'hold'
  flags: string[]
  reference: string
  languages: string
  phone: string
}

const first = ['Amara', 'Hélène', 'Keiko', 'Marcus', 'Rohan', 'Zoe', 'Carlos', 'Emily', 'Lukas', 'Priya', 'Sam', 'Ines']
const last = [
  'Okafor',
  'Moreau',
  'Tanaka',
  'Reid',
  'Patel',
  'Jiménez',
  'Carter',
  'Brandt',
  'Raman',
  'Whitfield',
  'Vogel',
]
const tours = ['Golden Circle', 'Alfama walk', 'Lisbon by night', 'Northern Lights', 'South Coast', 'Tanzania safari']
const states = [
  'aboard',
  'expected',
  'expected',
  'confirmed',
  'no_show',
  'aboard',
  'hold',
  'confirmed',
  'waitlist',
] as const
const flags = [
  ['Vegan'],
  ['Cane'],
  ['Vegetarian', 'Medical'],
  [],
  ['Wheelchair'],
  ['Nut allergy'],
  ['Vegan', 'Nut allergy', 'No stairs'],
]

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

export const travelers: GalleryTraveler[] = Array.from({ length: 500 }, (_, at) => ({
  id: `t${at}`,
  name: `${pick(first, at)} ${pick(last, at * 7)}`,
  country: pick(['GB', 'FR', 'JP', 'US', 'IN', 'ES', 'DE'], at),
  time: pick(['09:00', '16:00', '19:00', '21:00'], Math.floor(at / 6)),
  day: 'Fri 20 Nov',
  tour: pick(tours, Math.floor(at / 6)),
  state: pick(states, at),
  flags: pick(flags, at),
  reference: `AUR-${(at * 7919 + 46_656).toString(36).toUpperCase().padStart(6, '7')}`,
  languages: pick(['en, fr', 'fr', 'ja, en', 'en'], at),
  phone: `+44 7700 ${String(900_118 + at)}`,
}))
