import { expect, test } from 'vitest'
import { emailLocale, guestEmail, type GuestFacts, guestSms } from './guest-emails.ts'

const offer = {
  contactName: 'Amara Okafor',
  bookingRef: 'AUR-7K3Q9D',
  pax: 3,
  tourName: 'Golden Circle',
  startsAt: new Date('2026-11-21T09:00:00Z'),
  heldUntil: new Date('2026-11-21T01:30:00Z'),
  timeZone: 'Asia/Kathmandu',
  timeFormat: '24h' as const,
  meeting: null,
  now: new Date('2026-11-20T01:30:00Z'),
  dueMinor: 0,
  refundMinor: 0,
  currency: 'EUR',
  organizationName: 'Aurora & Atlas',
  phone: null,
  weatherNote: null,
  whatToBring: null,
}
const emailOf = (change: Partial<typeof offer>, locale: 'en' | 'de' | 'es' = 'en') =>
  guestEmail('waitlist_offer', { ...offer, ...change }, locale)

test('times of an offer are local to the tour and name its zone', () => {
  const { subject, body } = emailOf({})
  expect(subject).toBe('3 seats have opened up: Golden Circle')
  expect(body).toMatch(/Golden Circle, .* 14:45 \(Kathmandu\)\./)
  expect(body).toMatch(/Held for you until .* 07:15 \(Kathmandu\)/)
  expect(body).toContain('AUR-7K3Q9D')
})

test('times have 12 hours where the organization writes them so, in the words of the language', () => {
  const bodyIn = (locale: 'en' | 'es') => guestEmail('waitlist_offer', { ...offer, timeFormat: '12h' }, locale).body
  expect(bodyIn('en')).toMatch(/2:45\spm \(Kathmandu\)\.[^]* 07:15\sam \(Kathmandu\)/i)
  expect(bodyIn('es')).toMatch(/2:45\sp\.\sm\. \(Kathmandu\)/)
})

test('the reminder says what weather the office expects, on one line, and no other e-mail does', () => {
  const facts = { ...offer, weatherNote: 'Wind of 20 m/s at the falls.\nBring a jacket: {link}' }
  const line = 'Weather: Wind of 20 m/s at the falls. Bring a jacket: {link}'
  expect(guestEmail('pickup_reminder', facts, 'en').body.split('\n')).toContain(line)
  expect(guestEmail('pickup_reminder', { ...facts, weatherNote: 'Klar' }, 'de').body).toContain('\nWetter: Klar\n')
  for (const weatherNote of [null, ' ']) {
    expect(guestEmail('pickup_reminder', { ...facts, weatherNote }, 'en').body).not.toContain('Weather')
  }
  expect(guestEmail('booking_confirmed', facts, 'en').body).not.toContain('Wind')
})

test.each([
  ['en', 'What to bring: Warm jacket', 'Expected at about 09:07 (London)'],
  ['de', 'Bitte mitbringen: Warm jacket', 'Voraussichtlich gegen 09:07 (London)'],
  ['es', 'Qué traer: Warm jacket', 'Hora prevista: 9:07 (London) aproximadamente'],
] as const)(
  'in %s the information says what to bring, and the last reminder when the vehicle is expected',
  (locale, bring, expected) => {
    const startsAt = new Date('2030-01-14T09:00:00Z')
    const expectedAt = new Date('2030-01-14T09:07:00Z')
    const place = { placeName: 'Old harbour', address: null, isPickup: false, isComing: true }
    const meeting = { ...place, at: startsAt, expectedAt }
    const now = new Date('2030-01-14T08:30:00Z')
    const facts = { ...offer, timeZone: 'Europe/London', startsAt, now, meeting, whatToBring: 'Warm\njacket' }
    for (const write of [guestEmail, guestSms]) {
      expect(write('pre_tour_info', facts, locale).body.split('\n')).toContain(bring)
      expect(write('last_reminder', facts, locale).body.split('\n')).toContain(expected)
      expect(write('pickup_reminder', facts, locale).body).not.toMatch(/jacket|9:07/)
    }
    for (const meeting of [{ ...facts.meeting, isComing: false }, { ...facts.meeting, expectedAt: now }, null])
      expect(guestEmail('last_reminder', { ...facts, meeting }, locale).body).not.toContain('9:07')
  },
)

test('the guest’s language is used where we have words, else English', () => {
  expect(emailLocale('de-AT')).toBe('de')
  expect(emailLocale('ne')).toBe('en')
  expect(emailOf({ pax: 1 }, 'de').subject).toBe('Ein Platz ist frei geworden: Golden Circle')
})

test('one seat is one in every language', () => {
  expect(emailOf({ pax: 1 }).body).toMatch(/holding a seat for you on Golden Circle, /)
  expect(emailOf({ pax: 2 }).body).toMatch(/holding 2 seats for you on Golden Circle, /)
  expect(emailOf({ pax: 1 }, 'de').body).toMatch(/halten einen Platz für Sie frei: Golden Circle, /)
  expect(emailOf({ pax: 2 }, 'de').body).toMatch(/halten 2 Plätze für Sie frei: Golden Circle, /)
  expect(emailOf({ pax: 1 }, 'es').body).toMatch(/guardamos una plaza: Golden Circle, /)
  expect(emailOf({ pax: 2 }, 'es').body).toMatch(/guardamos 2 plazas: Golden Circle, /)
})

test('a cancelled departure is told with what is proposed instead, what it costs or gives back, and until when to answer', () => {
  const to = {
    tourName: 'Northern lights',
    startsAt: new Date('2026-11-22T18:15:00Z'),
    timeZone: 'Asia/Kathmandu',
    amountMinor: 17_800,
  }
  const expiresAt = new Date('2026-11-20T18:15:00Z')
  const told = (proposal: GuestFacts['proposal'], locale: 'en' | 'de' | 'es') =>
    guestEmail('rebooking_offer', { ...offer, ...(proposal && { proposal }) }, locale)
  const moved = told({ to, refundMinor: 17_800, expiresAt }, 'en')
  expect(moved.subject).toBe('Your tour is cancelled: Golden Circle')
  expect(moved.body).toMatch(
    /Our proposal: Northern lights, .*23.* 00:00 \(Kathmandu\)\nPrice in all: EUR.178\.00\nPlease answer by .* 00:00/,
  )
  expect(moved.body).toContain('or choose another departure or your money back, on this page:\n{link}')
  expect(told({ to: null, refundMinor: 17_800, expiresAt }, 'de').body).toMatch(
    /Unser Vorschlag: Sie bekommen 178,00.EUR zurück/,
  )
  expect(told({ to: null, refundMinor: 0, expiresAt }, 'es').body).toContain('cancelamos su reserva sin coste')
})
