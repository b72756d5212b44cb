import { resendWebhook, type WebhookDelivery } from '@tour-ops/contract/webhooks/webhooks'
import { RotateCw } from 'lucide-react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { formatDayTime, formatNumber } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { answerLabel, DeliveryStatus, eventLabel } from './webhook-labels.tsx'

interface DeliveryDrawerProps {
  row: WebhookDelivery
  onClose: () => void
  onStep: (by: 1 | -1) => void
}

/** What was sent, and what came back. */
export function DeliveryDrawer({ row, onClose, onStep }: DeliveryDrawerProps) {
  const resend = useCall(resendWebhook, { onSuccess: () => toast(m.webhooks_queued_again()) })
  return (
    <Drawer
      label={eventLabel(row.kind)}
      onClose={onClose}
      onStep={onStep}
      head={<b className="truncate text-lg font-semibold text-ink-strong">{eventLabel(row.kind)}</b>}
      subhead={
        <div className="flex items-center gap-2 pb-3 text-ink-2">
          <DeliveryStatus row={row} />
          <Ltr className="truncate">{row.url}</Ltr>
        </div>
      }
      footer={
        <Button icon={RotateCw} pending={resend.isPending} onClick={() => resend.mutate({ id: row.id })}>
          {m.webhooks_resend()}
        </Button>
      }
    >
      {resend.error && (
        <div className="px-4 pt-3 lg:px-6">
          <Banner tone="bad" role="alert">
            {refusalText(resend.error)}
          </Banner>
        </div>
      )}
      <Text title={m.webhooks_request()} text={JSON.stringify(JSON.parse(row.body), null, 2)} />
      {row.answerBody && <Text title={m.webhooks_answer_body()} text={row.answerBody} />}
      <DefinitionList>
        <Definition label={m.webhooks_answer()}>{answerLabel(row)}</Definition>
        <Definition label={m.webhooks_duration()}>
          {row.durationMs !== null && m.webhooks_milliseconds({ number: formatNumber(row.durationMs) })}
        </Definition>
        <Definition label={m.webhooks_attempts()}>
          <span className="num">{row.attempts}</span>
        </Definition>
        <Definition label={m.webhooks_happened()}>{formatDayTime(row.createdAt)}</Definition>
        <Definition label={m.webhooks_attempted()}>{row.attemptedAt && formatDayTime(row.attemptedAt)}</Definition>
        <Definition label={m.webhooks_due()}>{row.dueAt && formatDayTime(row.dueAt)}</Definition>
        <Definition label={m.webhooks_event()}>
          <Ltr className="break-all">{row.kind}</Ltr>
        </Definition>
        <Definition label={m.webhooks_event_id()}>
          <Ltr className="break-all">{row.eventId}</Ltr>
        </Definition>
      </DefinitionList>
    </Drawer>
  )
}

const Text = ({ title, text }: { title: string; text: string }) => (
  <section className="px-4 py-3 lg:px-6">
    <h3 className="mb-1 font-semibold text-ink-strong">{title}</h3>
    <pre dir="ltr" className="overflow-hidden text-xs leading-5 break-all whitespace-pre-wrap text-ink-strong">
      {text}
    </pre>
  </section>
)
