import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Email, Id, Instant, optionalText, orNull, write } from '../fields.ts'
import { locales } from '../locales.ts'
import { statusesOf } from '../state-machines.ts'

/** What a supplier is written about its services on a departure. */
export const supplierActs = ['request', 'confirm', 'update', 'cancel'] as const
export type SupplierAct = (typeof supplierActs)[number]

export const maxSupplierNote = 1000
const Note = optionalText(maxSupplierNote)

const Told = z.object({
  act: z.enum(supplierActs),
  at: Instant,
  to: z.string(),
  status: z.enum(statusesOf('deliveries')),
  /** Seats that were sold then. */
  guests: Count,
})

const SupplierOnDeparture = z.object({
  id: Id,
  name: z.string(),
  /** Of its first contact who has one; null where nobody has. */
  email: z.nullable(z.string()),
  /** In which it is written to: its own, else that of the office. */
  language: z.enum(locales),
  /** Seats that are sold now, without guests who did not come. */
  guests: Count,
  /** What was written last, arrived or not; null before anything was written. */
  told: z.nullable(Told),
  /** What is to be written: the supplier does not know what is so by now. Null where it does. */
  due: z.nullable(z.enum(supplierActs)),
  /** What can be written now. */
  acts: z.array(z.enum(supplierActs)),
})
export type SupplierOnDeparture = z.output<typeof SupplierOnDeparture>

type Known = Pick<SupplierOnDeparture, 'due'> & {
  readonly told: Pick<NonNullable<SupplierOnDeparture['told']>, 'status'> | null
}

/** Whether a message failed, or was held back. */
export const hasNotArrived = ({ status }: NonNullable<Known['told']>): boolean =>
  status === 'failed' || status === 'suppressed'

/** Whether a supplier was told something that is no longer so, or that has not arrived. */
export const isMisinformed = ({ due, told }: Known): boolean =>
  due === 'update' || due === 'cancel' || (due !== null && told !== null && hasNotArrived(told))

const readFrom = [
  'bookings',
  'deliveries',
  'departure_services',
  'departures',
  'manifest_entries',
  'messages',
  'org_settings',
  'organizations',
  'suppliers',
  'tours',
  'travelers',
] as const

export const listSupplierMessages = callable({
  name: 'suppliers-told',
  kind: 'read',
  permission: 'departures:dispatch',
  summary:
    'Suppliers with services on a departure: what each was told last, and what it does not know yet. Empty for a draft.',
  input: z.object({ departureId: Id }),
  output: z.object({
    suppliers: z.array(SupplierOnDeparture),
    /** `outbox`: no mail server is set up, so what is sent is only read on screen. */
    delivery: z.enum(['outbox', 'smtp']),
  }),
  topics: [...readFrom],
})

/** Left out: the one in which the supplier is written to. */
const Language = z.optional(z.enum(locales))

const Meant = { departureId: Id, supplierId: Id, act: z.enum(supplierActs), note: Note }

export const previewSupplierMessage = callable({
  name: 'suppliers-write-preview',
  kind: 'read',
  permission: 'departures:dispatch',
  summary: 'What a supplier reads about its services on a departure: numbers of guests and diets, never names.',
  input: z.object({ ...Meant, language: Language }),
  output: z.object({ language: z.enum(locales), subject: z.string(), body: z.string() }),
  topics: [...readFrom, 'notification_rules'],
})

export const writeToSupplier = callable({
  name: 'suppliers-write',
  kind: 'write',
  permission: 'departures:dispatch',
  summary:
    'Requests, confirms, changes or cancels the services of a supplier on a departure by e-mail, with the link of its manifest; what is requested or cancelled has that status from then on. Refused without an address: `aborted`, reason `supplier_unreachable`; where somebody wrote meanwhile, or the services are no longer such, `supplier_told`.',
  input: write({
    ...Meant,
    /** When the supplier was told last, as the sender saw it. */
    toldAt: orNull(Instant),
    /** Kept as that of its first contact; left out, the one that is known. */
    email: z.optional(Email),
    /** Kept as the language of the supplier. */
    language: Language,
  }),
  output: z.object({ to: z.string() }),
  writes: ['deliveries', 'departure_services', 'messages', 'shared_links', 'suppliers'],
})
