import type { OutboxRow } from '@tour-ops/contract/notifications/notifications'
import { Ban, CheckCheck, CircleCheck, Clock, MailOpen, TriangleAlert, type LucideIcon } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Calm, Chip } from '../../ui/chip.tsx'
import { formatTime } from '../../ui/format.ts'

type Status = OutboxRow['status']

const statusLooks: Readonly<Record<Status, { label: () => string; icon: LucideIcon }>> = {
  queued: { label: () => m.notifications_outbox_status_queued(), icon: Clock },
  sent: { label: () => m.notifications_outbox_status_sent(), icon: CircleCheck },
  delivered: { label: () => m.notifications_outbox_status_delivered(), icon: CheckCheck },
  read: { label: () => m.notifications_outbox_status_read(), icon: MailOpen },
  failed: { label: () => m.notifications_outbox_status_failed(), icon: TriangleAlert },
  suppressed: { label: () => m.notifications_outbox_status_suppressed(), icon: Ban },
}

export const deliveryStatusLabel = (status: Status): string => statusLooks[status].label()

type Reason = NonNullable<OutboxRow['suppressedReason']>

const suppressedLabels: Readonly<Record<Reason, () => string>> = {
  outdated: () => m.notifications_outbox_suppressed_outdated(),
  stopped: () => m.notifications_outbox_suppressed_stopped(),
  opted_out: () => m.notifications_outbox_suppressed_opted_out(),
  said_stop: () => m.notifications_outbox_suppressed_said_stop(),
  browser_gone: () => m.notifications_outbox_suppressed_browser_gone(),
}

/** Why something was held back. */
export const suppressedLabel = (reason: Reason): string => suppressedLabels[reason]()

/** Only what needs somebody is tinted; what waits for the end of quiet hours says until when. */
export function DeliveryStatus({
  row: { status, dueAt, quietZone },
}: {
  row: Pick<OutboxRow, 'status' | 'dueAt' | 'quietZone'>
}) {
  const { label, icon } = statusLooks[status]
  if (quietZone !== null && dueAt !== null) {
    return <Calm icon={icon}>{m.notifications_outbox_quiet({ time: formatTime(dueAt, quietZone) })}</Calm>
  }
  if (status === 'failed') {
    return (
      <Chip tone="bad" icon={icon}>
        {label()}
      </Chip>
    )
  }
  return <Calm icon={icon}>{label()}</Calm>
}

const channelLabels: Readonly<Record<OutboxRow['channel'], () => string>> = {
  in_app: () => m.notifications_outbox_channel_in_app(),
  email: () => m.notifications_outbox_channel_email(),
  sms: () => m.notifications_outbox_channel_sms(),
  whatsapp: () => m.notifications_outbox_channel_whatsapp(),
  push: () => m.notifications_outbox_channel_push(),
  webhook: () => m.notifications_outbox_channel_webhook(),
}

export const channelLabel = (channel: OutboxRow['channel']): string => channelLabels[channel]()

export const sourceLabel = (source: OutboxRow['source']): string =>
  source === 'identity' ? m.notifications_outbox_source_identity() : m.notifications_outbox_source_organization()

const kindLabels: Readonly<Record<string, () => string>> = {
  invitation: () => m.notifications_outbox_kind_invitation(),
  verify_email: () => m.notifications_outbox_kind_verify_email(),
  reset_password: () => m.notifications_outbox_kind_reset_password(),
  account_exists: () => m.notifications_outbox_kind_account_exists(),
  sign_in_attempts: () => m.notifications_outbox_kind_sign_in_attempts(),
  account_security: () => m.notifications_outbox_kind_account_security(),
  waitlist_approved: () => m.notifications_outbox_kind_waitlist_approved(),
  waitlist_offer: () => m.notifications_outbox_kind_waitlist_offer(),
  booking_confirmed: () => m.notifications_outbox_kind_booking_confirmed(),
  booking_changed: () => m.notifications_outbox_kind_booking_changed(),
  pre_tour_info: () => m.notifications_outbox_kind_pre_tour_info(),
  pickup_reminder: () => m.notifications_outbox_kind_pickup_reminder(),
  last_reminder: () => m.notifications_outbox_kind_last_reminder(),
  rebooking_offer: () => m.notifications_outbox_kind_rebooking_offer(),
  booking_cancelled: () => m.notifications_outbox_kind_booking_cancelled(),
  delay_notice: () => m.notifications_outbox_kind_delay_notice(),
  feedback_request: () => m.notifications_outbox_kind_feedback_request(),
  roll_call: () => m.notifications_outbox_kind_roll_call(),
  help_called: () => m.notifications_outbox_kind_help_called(),
  guest_message: () => m.notifications_outbox_kind_guest_message(),
  guest_answer: () => m.notifications_outbox_kind_guest_answer(),
  guest_message_test: () => m.notifications_outbox_kind_guest_message_test(),
  supplier_message: () => m.notifications_outbox_kind_supplier_message(),
  shared_link: () => m.notifications_outbox_kind_shared_link(),
  billing_document: () => m.notifications_outbox_kind_billing_document(),
  push_test: () => m.notifications_outbox_kind_push_test(),
  assignment_offered: () => m.notifications_outbox_kind_assignment_offered(),
  assignment_decided: () => m.notifications_outbox_kind_assignment_decided(),
  assignment_changed: () => m.notifications_outbox_kind_assignment_changed(),
  duty_reminder: () => m.notifications_outbox_kind_duty_reminder(),
  duty_start_missing: () => m.notifications_outbox_kind_duty_start_missing(),
  plan_unopened: () => m.notifications_outbox_kind_plan_unopened(),
  incident_updated: () => m.notifications_outbox_kind_incident_updated(),
  message_undelivered: () => m.notifications_outbox_kind_message_undelivered(),
  link_opened_first: () => m.notifications_outbox_kind_link_opened_first(),
  daily_digest: () => m.notifications_outbox_kind_daily_digest(),
}

/** What a message is about; kinds of rules have their own label. */
export const kindLabel = (kind: string): string => kindLabels[kind]?.() ?? kind.replaceAll('_', ' ')
