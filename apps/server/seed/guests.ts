import type { In } from '@tour-ops/contract/callable'
import { createTraveler, listTravelers } from '@tour-ops/contract/travelers/travelers'
import pLimit from 'p-limit'
import { nameLists } from './data/names.ts'
import { type Person, sideBySide } from './person.ts'
import type { Random } from './random.ts'

/** From the range that the British regulator keeps for fiction (+44 7700 900000 to 900999). */
const phonesBegin = '+447700900'

/** Travelers of the demo. See docs/domain.md, "Demo organization". */
const guestCount = 420

export interface SeededGuest {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly language: string
  readonly phone: string
}

type Diet = NonNullable<In<typeof createTraveler>['dietary']>[number]
const diets: readonly (readonly [Diet, number])[] = [
  ['vegetarian', 8],
  ['vegan', 4],
  ['gluten_free', 3],
  ['halal', 2],
  ['kosher', 1],
  ['nut_allergy', 2],
  ['shellfish_allergy', 1],
  ['dairy_free', 2],
]

const weightedNames = nameLists.map((list) => [list, list.weight] as const)

export async function seedGuests(office: Person, random: Random): Promise<SeededGuest[]> {
  const guests = Array.from({ length: guestCount }, (_, index) => guestOf(index + 1, random))
  return pLimit(sideBySide).map(guests, async ({ country, language, traveler }) => {
    const { id } = await office.call(createTraveler, traveler)
    return { id, name: `${traveler.firstName} ${traveler.lastName}`, country, language, phone: traveler.phone }
  })
}

/** Travelers of today who are there by now; those of the history have no phones. */
export async function findGuests(office: Person): Promise<SeededGuest[]> {
  const { rows } = await office.call(listTravelers, { q: phonesBegin.replace('+', ''), size: 500 })
  return rows.map(({ id, name, nationality, languages, phone }) => ({
    id,
    name,
    country: nationality ?? 'GB',
    language: languages[0] ?? 'en',
    phone: phone ?? '',
  }))
}

/** How a guest is reached who books: one in seven by phone only. */
export function reachOf({ phone }: SeededGuest): { readonly email: string | null; readonly phone: string | null } {
  const number = Number(phone.slice(phonesBegin.length)) + 1
  return number % 7 > 0 ? { email: emailOf(number), phone: null } : { email: null, phone }
}

const emailOf = (number: number): string => `guest${number}@example.org`

export interface InventedName {
  readonly list: (typeof nameLists)[number]
  readonly firstName: string
  readonly lastName: string
}

/** First and family name from one country, as often as its people travel. */
export function inventedName(random: Random): InventedName {
  const list = random.weighted(weightedNames)
  return { list, firstName: random.pick(list.first), lastName: random.pick(list.last) }
}

/** About 18 in 100 eat something else. */
export const dietaryOf = (random: Random): Diet[] => (random.chance(0.18) ? [random.weighted(diets)] : [])

/** 2 in 100 need help with walking. */
export const mobilityOf = (random: Random) =>
  random.chance(0.02) ? random.pick(['cane', 'wheelchair', 'no_stairs'] as const) : ('none' as const)

/** Phones and e-mail of nobody. */
function guestOf(number: number, random: Random) {
  const { list, firstName, lastName } = inventedName(random)
  const { country, language } = list
  const traveler = {
    firstName,
    lastName,
    nationality: country,
    residenceCountry: country,
    languages: language === 'en' ? ['en'] : [language, 'en'],
    email: emailOf(number),
    phone: `${phonesBegin}${String((number - 1) % 1000).padStart(3, '0')}`,
    dietary: dietaryOf(random),
    mobility: mobilityOf(random),
    dateOfBirth: `${random.between(1948, 2004)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
    ...(random.chance(0.04) && {
      medicalNote: random.pick(['Diabetes, carries insulin', 'Asthma, has an inhaler', 'Pacemaker']),
    }),
  }
  return { country, language, traveler }
}
