import { expect, test } from 'vitest'
import { waitlistEmail } from './waitlist-email.ts'

const offer = {
  contactName: 'Amara Okafor',
  bookingRef: 'AUR-7K3Q9D',
  pax: 3,
  tourName: 'Golden Circle',
  startsAt: new Date('2026-11-21T09:00:00Z'),
  expiresAt: new Date('2026-11-21T01:30:00Z'),
  timeZone: 'Asia/Kathmandu',
  timeFormat: '24h' as const,
  locale: null,
}

test('times are local to the tour and name its zone', () => {
  const { subject, body } = waitlistEmail(offer)
  expect(subject).toBe('3 seats have opened up: Golden Circle')
  expect(body).toMatch(/ 14:45 \(Kathmandu\), until .* 07:15 \(Kathmandu\)\./)
  expect(body).toContain('AUR-7K3Q9D')
})

test('times have 12 hours where the organization writes them so, in the words of the language', () => {
  const bodyIn = (locale: string) => waitlistEmail({ ...offer, locale, timeFormat: '12h' }).body
  expect(bodyIn('en')).toMatch(/2:45\spm \(Kathmandu\), .* 7:15\sam \(Kathmandu\)/i)
  expect(bodyIn('es')).toMatch(/2:45\sp\.\sm\. \(Kathmandu\)/)
})

test('the guest’s language is used where we have words, else English', () => {
  expect(waitlistEmail({ ...offer, locale: 'de-AT', pax: 1 })).toMatchObject({
    locale: 'de',
    subject: 'Ein Platz ist frei geworden: Golden Circle',
  })
  expect(waitlistEmail({ ...offer, locale: 'ne' }).locale).toBe('en')
})

test('one seat is one in every language', () => {
  const bodyIn = (locale: string, pax: number) => waitlistEmail({ ...offer, locale, pax }).body
  expect(bodyIn('en', 1)).toMatch(/holding a seat for you on Golden Circle, /)
  expect(bodyIn('en', 2)).toMatch(/holding 2 seats for you on Golden Circle, /)
  expect(bodyIn('de', 1)).toMatch(/Ihr Platz für Golden Circle, .*, ist bis .* reserviert\. /)
  expect(bodyIn('de', 2)).toMatch(/Ihre Plätze für Golden Circle, .*, sind bis .* reserviert\. /)
  expect(bodyIn('es', 1)).toMatch(/su plaza para Golden Circle, .*, está reservada /)
  expect(bodyIn('es', 2)).toMatch(/sus plazas para Golden Circle, .*, están reservadas /)
})
