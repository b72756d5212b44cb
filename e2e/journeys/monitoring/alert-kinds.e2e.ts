import type { Page } from '@playwright/test'
import { confirmBooking } from '@tour-ops/contract/bookings/bookings'
import { checkIn, markNoShow } from '@tour-ops/contract/bookings/manifest'
import type { In } from '@tour-ops/contract/callable'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { acceptAssignment, createAssignment, offerAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff, updateFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { setPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import {
  assignVehicle,
  createService,
  createSupplier,
  setServiceStatus,
  vehicleRecord,
} from '@tour-ops/contract/vehicles/vehicles'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Cause, expectEachOver, expectEachRaised, newCard, resolvedCard, setLimits } from '../../alert-causes.ts'
import { type Api, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, expectScreen, test } from '../../fixtures.ts'
import { book, giveLead, makeBoarding, makeDeparture, makeGuide, makePlaces, makeTour } from '../../operations.ts'

/** Each makes its cause with records of its own, as the office or the crew does. */
type Make = (office: Api) => Promise<Cause>

const dayAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

async function setOut(office: Api, id: string): Promise<void> {
  for (const to of ['boarding', 'in_progress'] as const) {
    const { version } = await office.call(getDeparture, { id })
    await office.call(setDepartureStatus, { id, version, to, reason: 'Journey' })
  }
}

/** A departure that boards, with two guests. */
async function boardingWithTwo(office: Api, tourName: string) {
  const tour = await makeTour(tourName, office)
  const { id } = await makeBoarding(tour, 10, office)
  const { guests } = await book(id, ['Ingrid Sol', 'Petra Sol'], {}, office)
  return { id, entryIds: guests.flatMap(({ entryId }) => entryId ?? []) }
}

const takeAboard = (office: Api, departureId: string, entryIds: readonly string[]) =>
  office.call(checkIn, {
    departureId,
    entries: entryIds.map((entryId) => ({ entryId, clientEventId: crypto.randomUUID() })),
  })

const lateStart: Make = async (office) => {
  const tour = await makeTour('Sleepy walk', office)
  const { id } = await makeDeparture(tour, { hours: -12 / 60 }, office)
  return {
    title: /^Not started, planned (?:.+ )?\d\d:\d\d$/,
    subject: tour.name,
    evidence: 'More than 10 min after the plan',
    end: async () => {
      await giveLead(office, id)
      await setOut(office, id)
    },
    over: /: set out at (?:.+ )?\d\d:\d\d$/,
  }
}

const tooFewGuests: Make = async (office) => {
  const tour = await makeTour('Quiet walk', office, { minPax: 4 })
  const { id } = await makeDeparture(tour, { hours: 100 }, office)
  await book(id, ['Lena Frost'], {}, office)
  return {
    title: '1 guest, 4 needed',
    subject: tour.name,
    evidence: /Decide by .*\d\d:\d\d/,
    end: () => book(id, ['Jon Frost', 'Una Frost', 'Kari Frost'], {}, office),
    over: ': confirmed: 4, needed: 4',
  }
}

const countsDiffer: Make = async (office) => {
  const { id, entryIds } = await boardingWithTwo(office, 'Counted walk')
  await takeAboard(office, id, entryIds)
  await office.call(recordHeadcount, { departureId: id, counted: 1, reason: 'Petra is still in the shop' })
  return {
    title: /^1 guest missing at /,
    subject: 'Counted walk',
    evidence: /1of 2 counted.*Petra is still in the shop/,
    end: () => office.call(recordHeadcount, { departureId: id, counted: 2 }),
    over: ': 2 of 2 counted',
  }
}

const doesNotCome: Make = async (office) => {
  const { id, entryIds } = await boardingWithTwo(office, 'Missed walk')
  await office.call(markNoShow, { departureId: id, entryIds: entryIds.slice(0, 1) })
  return {
    title: '1 guest did not show up',
    subject: 'Missed walk',
    evidence: '2 guests were expected',
    end: () => takeAboard(office, id, entryIds.slice(0, 1)),
    over: 'by itself',
  }
}

const noAnswer: Make = async (office) => {
  const tour = await makeTour('Asked walk', office)
  const departure = await makeDeparture(tour, { hours: 6 }, office)
  const guide = await makeGuide('Olaf', office)
  const offered = await office.call(offerAssignment, {
    departureId: departure.id,
    role: 'guide',
    staffIds: [guide.id],
    respondBy: new Date(Date.now() + 1_000).toISOString(),
  })
  return {
    title: `${guide.name} has not answered`,
    subject: tour.name,
    evidence: /Answer was due .*\d\d:\d\d/,
    end: () => office.call(acceptAssignment, { id: offered.ids[0] ?? '', version: 1 }),
    over: `: ${guide.name} has accepted`,
  }
}

const tooFewSeats: Make = async (office) => {
  const tour = await makeTour('Narrow walk', office)
  const departure = await makeDeparture(tour, { hours: 5 }, office)
  await book(departure.id, ['Ada Lind', 'Bo Lind', 'Cai Lind'], {}, office)
  const van = { label: 'Small van', plate: 'SMALL', class: 'van' as const }
  const { id, version } = await office.call(vehicleRecord.create, { ...van, seats: 2 })
  await office.call(assignVehicle, { departureId: departure.id, vehicleId: id })
  return {
    title: '3 guests, 2 seats',
    subject: tour.name,
    evidence: 'Small van',
    end: () => office.call(vehicleRecord.update, { id, version, ...van, seats: 9 }),
    over: 'by itself',
  }
}

const certificateEnds: Make = async (office) => {
  const guide = { firstName: 'Vera', lastName: 'Holm', kinds: ['guide' as const], employment: 'employee' as const }
  const until = (days: number) => [{ kind: 'first_aid' as const, validUntil: dayAhead(days) }]
  const { id, version } = await office.call(createFieldStaff, { ...guide, certificates: until(10) })
  return {
    title: /^First aid expires /,
    subject: 'Vera Holm',
    evidence: 'Info',
    end: () => office.call(updateFieldStaff, { id, version, ...guide, certificates: until(400) }),
    over: 'by itself',
  }
}

const inspectionEnds: Make = async (office) => {
  const bus = { label: 'Old bus', plate: 'OLD', class: 'coach' as const, seats: 40 }
  const { id, version } = await office.call(vehicleRecord.create, { ...bus, inspectionValidUntil: dayAhead(-2) })
  return {
    title: /^Inspection expires /,
    subject: 'Old bus',
    evidence: 'Warning',
    end: () => office.call(vehicleRecord.update, { id, version, ...bus, inspectionValidUntil: dayAhead(300) }),
    over: 'by itself',
  }
}

const restTooShort: Make = async (office) => {
  const tour = await makeTour('Night shift', office)
  const guide: In<typeof createFieldStaff> = {
    firstName: 'Knut',
    lastName: 'Weary',
    kinds: ['guide'],
    employment: 'employee',
    minRestHours: 8,
  }
  const { id: staffId, version } = await office.call(createFieldStaff, guide)
  const [first, second] = [
    await makeDeparture(tour, { hours: 4 }, office),
    await makeDeparture(tour, { hours: 22 }, office),
  ]
  for (const { id: departureId } of [first, second])
    await office.call(createAssignment, { departureId, staffId, role: 'lead_guide' })
  const changed = await office.call(updateFieldStaff, { ...guide, id: staffId, version, minRestHours: 24 })
  return {
    title: /^Knut Weary has 1\d h/,
    subject: tour.name,
    evidence: `After ${first.code}; 24 h needed`,
    end: () => office.call(updateFieldStaff, { ...guide, id: staffId, version: changed.version }),
    over: 'by itself',
  }
}

const notConfirmed: Make = async (office) => {
  const tour = await makeTour('Hungry walk', office)
  const departure = await makeDeparture(tour, { hours: 30 }, office)
  const supplier = await office.call(createSupplier, { name: 'Harbor kitchen', kind: 'restaurant' })
  const service = { kind: 'meal' as const, description: 'Fish soup for 9', supplierId: supplier.id }
  const { id } = await office.call(createService, { departureId: departure.id, ...service })
  return {
    title: 'Fish soup for 9 not confirmed',
    subject: tour.name,
    evidence: 'Harbor kitchen',
    end: async () => {
      await office.call(setServiceStatus, { id, version: 1, to: 'requested' })
      await office.call(setServiceStatus, { id, version: 2, to: 'confirmed', confirmationRef: 'HK-7' })
    },
    over: ': the service is confirmed',
  }
}

/** Two hours and a minute: the warning comes after a minute, by the clock alone. */
const holdRunsOut: Make = async (office) => {
  const tour = await makeTour('Patient walk', office)
  const departure = await makeDeparture(tour, { hours: 30 }, office)
  const hold = await book(departure.id, ['Nora Wait', 'Tom Wait'], { mode: 'hold', holdMinutes: 121 }, office)
  return {
    title: /^Hold for 2 guests expires (?:.+ )?\d\d:\d\d$/,
    subject: tour.name,
    evidence: `Nora Wait · ${hold.bookingRef}`,
    end: () => office.call(confirmBooking, { id: hold.id, version: hold.version }),
    over: ': the booking is confirmed',
  }
}

const makers: Readonly<Record<string, Make>> = {
  late_start: lateStart,
  below_min_pax: tooFewGuests,
  headcount_mismatch: countsDiffer,
  no_show: doesNotCome,
  assignment_unanswered: noAnswer,
  capacity_conflict: tooFewSeats,
  'certificate_expiring of a person': certificateEnds,
  'certificate_expiring of a vehicle': inspectionEnds,
  rest_violation: restTooShort,
  service_unconfirmed: notConfirmed,
  hold_expiring: holdRunsOut,
}

/** The service that should send it is inside the network of the server, which sends nothing there. */
async function failToNotify(office: Api): Promise<void> {
  await office.call(setPhoneChannel, { channel: 'sms', adapter: 'webhook', address: 'http://127.0.0.1:9/sms' })
  const tour = await makeTour('Silent walk', office)
  const departure = await makeDeparture(tour, { hours: 31 }, office)
  await book(departure.id, ['Rosa Quiet'], { contact: { name: 'Rosa Quiet', phone: '+3545550102' } }, office)
}

/** Nothing ends it but a person who has called the guests. */
async function expectResolvedByHand(page: Page): Promise<void> {
  const failed = { title: 'Message not delivered to 1 person', subject: 'Silent walk' }
  await expect(newCard(page, failed)).toContainText('Your booking is confirmed')
  await newCard(page, failed).getByRole('button', { name: failed.title, exact: true }).click()
  const panel = page.getByRole('dialog', { name: failed.title })
  await panel.getByRole('button', { name: 'Resolve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resolve this alert' })
  await dialog.getByRole('textbox').fill('Called Rosa')
  await dialog.getByRole('button', { name: 'Resolve' }).click()
  await expect(dialog).toBeHidden()
  await panel.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(resolvedCard(page, failed)).toContainText('Called Rosa')
}

test('what the office plans and what happens at the meeting point is an alert on the open board until it is settled', async ({
  page,
}) => {
  test.setTimeout(420_000)
  await enterWithWallet(page)
  await createOrganization(page, 'Alert Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  await setLimits(office, { noShowFromMin: 120 })
  await page.goto('/tools/monitoring')
  await expectScreen(page, 'Monitoring')
  await failToNotify(office)
  const causes: [string, Cause][] = []
  for (const [kind, make] of Object.entries(makers)) causes.push([kind, await make(office)])
  await expectEachRaised(page, causes)
  await expectAccessible(page)
  for (const [, { end }] of causes) await end()
  await expectResolvedByHand(page)
  await expectEachOver(page, causes)
  await expectAccessible(page)
})
