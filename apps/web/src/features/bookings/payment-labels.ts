import { type Payment, paymentMethods } from '@tour-ops/contract/bookings/payments'
import { m } from '../../paraglide/messages.js'

type Method = (typeof paymentMethods)[number]
const methods: Record<Method, () => string> = {
  cash: m.bookings_method_cash,
  card_terminal: m.bookings_method_card_terminal,
  transfer: m.bookings_method_transfer,
  agent_credit: m.bookings_method_agent_credit,
  voucher: m.bookings_method_voucher,
}
export const methodOptions = () => paymentMethods.map((value) => ({ value, label: methods[value]() }))

/** How it was paid, as far as anybody knows. */
export const methodLabel = ({ method, isImported }: Pick<Payment, 'method' | 'isImported'>): string => {
  if (method !== null) return methods[method]()
  return isImported ? m.bookings_method_imported() : m.bookings_method_unknown()
}
