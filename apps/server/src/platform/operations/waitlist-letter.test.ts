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
