import type { ShippedTemplate } from '@tour-ops/contract/notifications/message-templates'
import { m } from '../../paraglide/messages.js'

const labels: Readonly<Record<ShippedTemplate, () => string>> = {
  departure_cancelled: m.notifications_template_departure_cancelled,
  running_late: m.notifications_template_running_late,
  meeting_point_changed: m.notifications_template_meeting_point_changed,
  bad_weather: m.notifications_template_bad_weather,
  what_to_bring: m.notifications_template_what_to_bring,
  invoice: m.notifications_template_invoice,
  credit_note: m.notifications_template_credit_note,
  receipt: m.notifications_template_receipt,
}

/** What a text is for that comes with the product. */
export const shippedTemplateLabel = (key: ShippedTemplate): string => labels[key]()
