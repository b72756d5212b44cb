import type { Webhook, WebhookDelivery } from '@tour-ops/contract/webhooks/webhooks'
import { CircleCheck, Clock, PowerOff, TriangleAlert } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Calm, Chip } from '../../ui/chip.tsx'
import { formatDayTime } from '../../ui/format.ts'

type Kind = WebhookDelivery['kind']

const kindLabels: Readonly<Record<Kind, () => string>> = {
  'booking.created': () => m.webhooks_event_booking_created(),
  'booking.changed': () => m.webhooks_event_booking_changed(),
  'booking.cancelled': () => m.webhooks_event_booking_cancelled(),
  'payment.recorded': () => m.webhooks_event_payment_recorded(),
  'payment.voided': () => m.webhooks_event_payment_voided(),
  'departure.created': () => m.webhooks_event_departure_created(),
  'departure.changed': () => m.webhooks_event_departure_changed(),
  'departure.cancelled': () => m.webhooks_event_departure_cancelled(),
  'departure.departed': () => m.webhooks_event_departure_departed(),
  'departure.completed': () => m.webhooks_event_departure_completed(),
  'stop.arrived': () => m.webhooks_event_stop_arrived(),
  'stop.departed': () => m.webhooks_event_stop_departed(),
  'alert.opened': () => m.webhooks_event_alert_opened(),
  'alert.resolved': () => m.webhooks_event_alert_resolved(),
  'check_in.recorded': () => m.webhooks_event_check_in(),
  'message.failed': () => m.webhooks_event_message_failed(),
  'webhook.test': () => m.webhooks_event_test(),
}

/** What happened. */
export const eventLabel = (kind: Kind): string => kindLabels[kind]()

const statusLabels: Readonly<Record<WebhookDelivery['status'], () => string>> = {
  queued: () => m.webhooks_status_queued(),
  delivered: () => m.webhooks_status_delivered(),
  failed: () => m.webhooks_status_failed(),
}

export const deliveryStatusLabel = (status: WebhookDelivery['status']): string => statusLabels[status]()

/** Only what failed, also for the time being, is tinted. */
export function DeliveryStatus({ row: { status, attempts } }: { row: Pick<WebhookDelivery, 'status' | 'attempts'> }) {
  if (status === 'delivered') return <Calm icon={CircleCheck}>{m.webhooks_status_delivered()}</Calm>
  if (status === 'failed') {
    return (
      <Chip tone="bad" icon={TriangleAlert}>
        {m.webhooks_status_failed()}
      </Chip>
    )
  }
  if (attempts === 0) return <Calm icon={Clock}>{m.webhooks_status_queued()}</Calm>
  return (
    <Chip tone="warn" icon={Clock}>
      {m.webhooks_status_retrying()}
    </Chip>
  )
}

const faultLabels: Readonly<Record<NonNullable<WebhookDelivery['fault']>, () => string>> = {
  private: () => m.webhooks_fault_private(),
  silent: () => m.webhooks_fault_silent(),
  unsigned: () => m.webhooks_fault_unsigned(),
}

/** What the endpoint answered last, or why it did not; undefined before the first attempt. */
export function answerLabel({ answerStatus, fault }: WebhookDelivery): string | undefined {
  if (fault) return faultLabels[fault]()
  return answerStatus === null ? undefined : m.webhooks_http_status({ status: answerStatus })
}

/** How sending to an endpoint is going. */
export function WebhookState({ row }: { row: Webhook }) {
  if (!row.isOn) {
    if (row.offReason === null) return <Calm icon={PowerOff}>{m.webhooks_off()}</Calm>
    return (
      <Chip tone="bad" icon={PowerOff}>
        {row.offReason === 'gone' ? m.webhooks_off_gone() : m.webhooks_off_failing()}
      </Chip>
    )
  }
  if (row.failingSince !== null) {
    return (
      <Chip tone="bad" icon={TriangleAlert}>
        {m.webhooks_failing_since({ time: formatDayTime(row.failingSince) })}
      </Chip>
    )
  }
  return <Calm icon={CircleCheck}>{m.webhooks_on()}</Calm>
}
