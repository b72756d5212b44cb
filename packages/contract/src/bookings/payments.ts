import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, LocalDate, MoneyMinor, optionalText, text, Version, write } from '../fields.ts'

export const paymentKinds = ['payment', 'refund'] as const
/** How money came. Nothing of a card is ever stored. */
export const paymentMethods = ['cash', 'card_terminal', 'transfer', 'agent_credit', 'voucher'] as const
export const PaymentMethod = z.enum(paymentMethods)

/** An amount that moves. */
export const MovedMinor = z.int().check(z.minimum(1, 'amount_not_positive'), z.maximum(1_000_000_000_000))

/** Money that came for a booking or went back. It is never changed; one that is wrong is voided. */
export const Payment = z.object({
  id: Id,
  kind: z.enum(paymentKinds),
  /** Null where nobody knows: taken over from before there were payments, or from a file. */
  method: z.nullable(PaymentMethod),
  amountMinor: MoneyMinor,
  currency: z.string(),
  /** Day in the zone of the organization. */
  receivedOn: LocalDate,
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  recordedAt: Instant,
  /** Null where no person recorded it. */
  recordedByName: z.nullable(z.string()),
  isImported: z.boolean(),
  voidedAt: z.nullable(Instant),
  voidedByName: z.nullable(z.string()),
  /** Null where the import that it came with was undone. */
  voidReason: z.nullable(z.string()),
})
export type Payment = z.output<typeof Payment>

/** A payment and the booking that it changed. */
const Recorded = z.object({ payment: Payment, booking: z.object({ id: Id, version: Version }) })

export const listPayments = callable({
  name: 'payments-list',
  kind: 'read',
  permission: 'bookings:read',
  summary: 'What was paid for a booking and paid back, newest first, with what was voided.',
  input: z.object({ bookingId: Id }),
  output: z.object({
    /** Today in the zone of the organization. */
    today: LocalDate,
    payments: z.array(Payment),
  }),
  topics: ['bookings', 'members', 'org_settings', 'payments'],
})

export const recordPayment = callable({
  name: 'payments-record',
  kind: 'write',
  permission: 'bookings:manage',
  summary:
    'Records a payment for a booking, or a refund of at most what was paid. The same `clientEventId` again changes nothing.',
  input: write({
    /** The same press that comes twice is one payment. */
    clientEventId: z.optional(Id),
    bookingId: Id,
    kind: z._default(z.enum(paymentKinds), 'payment'),
    method: PaymentMethod,
    amountMinor: MovedMinor,
    /** In the zone of the organization; left out: now. */
    receivedOn: z.optional(LocalDate),
    reference: optionalText(80),
    note: optionalText(500),
  }),
  output: Recorded,
  writes: ['bookings', 'payments'],
})

export const voidPayment = callable({
  name: 'payments-void',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Voids a payment or a refund that was recorded by mistake; it stays in the list and counts no longer.',
  input: write({ id: Id, reason: text(200, 'reason_missing') }),
  output: Recorded,
  writes: ['bookings', 'payments'],
})
