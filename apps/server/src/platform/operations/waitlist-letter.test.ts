import { expect, test } from 'vitest'
import { waitlistLetter } from './waitlist-letter.ts'

const offer = {
  contactName: 'Amara Okafor',
  bookingRef: 'AUR-7K3Q9D',
  pax: 3,
  tourName: 'Golden Circle',
  startsAt: new Date('2026-11-21T09:00:00Z'),
  expiresAt: new Date('2026-11-21T01:30:00Z'),
  timeZone: 'Asia/Kathmandu',
  locale: null,
}

test('times are local to the tour and name its zone', () => {
  const { subject, body } = waitlistLetter(offer)
  expect(subject).toBe('3 seats are free: Golden Circle')
  expect(body).toMatch(/2:45\sPM \(Kathmandu\), are held for you until .*7:15\sAM \(Kathmandu\)\./)
  expect(body).toContain('AUR-7K3Q9D')
})

test('the guest’s language is used where we have words, else English', () => {
  expect(waitlistLetter({ ...offer, locale: 'de-AT', pax: 1 })).toMatchObject({
    locale: 'de',
    subject: 'Ein Platz ist frei: Golden Circle',
  })
  expect(waitlistLetter({ ...offer, locale: 'ne' }).locale).toBe('en')
})

test('one seat is one in every language', () => {
  const bodyIn = (locale: string, pax: number) => waitlistLetter({ ...offer, locale, pax }).body
  expect(bodyIn('en', 1)).toMatch(/your seat on Golden Circle, .*, is held .* whether you want it\./)
  expect(bodyIn('en', 2)).toMatch(/your seats on Golden Circle, .*, are held .* whether you want them\./)
  expect(bodyIn('de', 1)).toMatch(/Ihr Platz für Golden Circle, .*, ist bis .* reserviert\. .* ob Sie ihn möchten\./)
  expect(bodyIn('de', 2)).toMatch(/Ihre Plätze für Golden Circle, .*, sind bis .* ob Sie sie möchten\./)
  expect(bodyIn('es', 1)).toMatch(/su plaza para Golden Circle, .*, está reservada .* si la quiere\./)
  expect(bodyIn('es', 2)).toMatch(/sus plazas para Golden Circle, .*, están reservadas .* si las quiere\./)
})
