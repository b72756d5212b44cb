import { useQuery } from '@tanstack/react-query'
import {
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
} from '@tour-ops/contract/webhooks/webhooks'
import { Ellipsis, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatDayTime, formatList } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SecretAddressDialog } from '../../ui/secret-address-dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { eventLabel, WebhookState } from './webhook-labels.tsx'

const WebhookDialog = loadLater(() => import('./webhook-dialog.tsx').then((loaded) => loaded.WebhookDialog))

type Question =
  | { kind: 'add' }
  | { kind: 'edit' | 'rotate' | 'remove'; webhook: Webhook }
  | { kind: 'secret'; secret: string }

/** Endpoints that are notified, and how sending to each is going. */
export function WebhookList() {
  const { data, error, refetch } = useQuery(callQuery(listWebhooks, {}))
  const [question, setQuestion] = useState<Question | null>(null)
  const add = (
    <Button onClick={() => setQuestion({ kind: 'add' })} onPointerEnter={WebhookDialog.preload}>
      {m.webhooks_add()}
    </Button>
  )
  return (
    <Card title={m.webhooks_endpoints()} context={m.webhooks_about()} actions={data && data.rows.length > 0 && add}>
      {!data && error && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows rows={2} />}
      {data?.rows.length === 0 && (
        <Empty title={m.webhooks_none()} icon={WebhookIcon} actions={add}>
          {m.webhooks_none_text()}
        </Empty>
      )}
      {data && data.rows.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {data.rows.map((webhook) => (
            <Endpoint key={webhook.id} webhook={webhook} onAsk={setQuestion} />
          ))}
        </ul>
      )}
      {question && <Questions question={question} onAsk={setQuestion} />}
    </Card>
  )
}

function Endpoint({ webhook, onAsk }: { webhook: Webhook; onAsk: (question: Question) => void }) {
  const { url, description, events, lastAttemptAt, queued, nextAttemptAt, isOn } = webhook
  const test = useCall(testWebhook, {
    onSuccess: () => toast(m.webhooks_test_queued()),
    onError: (refused) => toast(refusalText(refused)),
  })
  const facts = [
    lastAttemptAt === null ? m.webhooks_never_sent() : m.webhooks_last_sent({ time: formatDayTime(lastAttemptAt) }),
    queued > 0 && m.webhooks_queued({ count: queued }),
    isOn && nextAttemptAt !== null && m.webhooks_next_attempt({ time: formatDayTime(nextAttemptAt) }),
  ].filter((fact) => fact !== false)
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Ltr className="font-medium break-all text-ink-strong">{url}</Ltr>
          <WebhookState row={webhook} />
        </p>
        {description && <p className="text-ink">{description}</p>}
        <p className="text-ink-2">{formatList(events.map(eventLabel))}</p>
        <p className="num text-xs text-ink-2">{facts.join(' · ')}</p>
      </div>
      <div className="flex items-start gap-2">
        <Button
          pending={test.isPending}
          disabledReason={isOn ? undefined : m.webhooks_test_off()}
          onClick={() => test.mutate({ id: webhook.id })}
        >
          {m.webhooks_test()}
        </Button>
        <Menu
          label={m.webhooks_actions({ url })}
          icon={Ellipsis}
          align="end"
          intent={{ onPointerEnter: WebhookDialog.preload, onFocus: WebhookDialog.preload }}
          items={[
            { key: 'edit', label: m.webhooks_edit(), onSelect: () => onAsk({ kind: 'edit', webhook }) },
            { key: 'rotate', label: m.webhooks_rotate(), onSelect: () => onAsk({ kind: 'rotate', webhook }) },
            {
              key: 'remove',
              label: m.webhooks_remove(),
              danger: true,
              separated: true,
              onSelect: () => onAsk({ kind: 'remove', webhook }),
            },
          ]}
        />
      </div>
    </li>
  )
}

function Questions({ question, onAsk }: { question: Question; onAsk: (question: Question | null) => void }) {
  const close = () => onAsk(null)
  const showSecret = (secret: string) => onAsk({ kind: 'secret', secret })
  switch (question.kind) {
    case 'add':
      return <WebhookDialog webhook={undefined} onClose={close} onMade={showSecret} />
    case 'edit':
      return <WebhookDialog webhook={question.webhook} onClose={close} onMade={showSecret} />
    case 'rotate':
      return <RotateDialog webhook={question.webhook} onClose={close} onMade={showSecret} />
    case 'remove':
      return <RemoveDialog webhook={question.webhook} onClose={close} />
    case 'secret':
      return (
        <SecretAddressDialog
          title={m.webhooks_secret()}
          text={m.webhooks_secret_text()}
          label={m.webhooks_secret()}
          copyLabel={m.webhooks_secret_copy()}
          copied={m.webhooks_secret_copied()}
          address={question.secret}
          onClose={close}
        />
      )
  }
}

interface RotateDialogProps {
  webhook: Webhook
  onClose: () => void
  onMade: (secret: string) => void
}

function RotateDialog({ webhook: { id, version }, onClose, onMade }: RotateDialogProps) {
  const rotate = useCall(rotateWebhookSecret, { onSuccess: ({ secret }) => onMade(secret) })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => rotate.mutate({ id, version })}
      title={m.webhooks_rotate_title()}
      confirmLabel={m.webhooks_rotate()}
      pending={rotate.isPending}
      error={rotate.error ? refusalText(rotate.error) : undefined}
    >
      {m.webhooks_rotate_text()}
    </ConfirmDialog>
  )
}

function RemoveDialog({ webhook: { id, version, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useCall(removeWebhook, {
    onSuccess: () => {
      onClose()
      toast(m.webhooks_removed())
    },
  })
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={() => remove.mutate({ id, version })}
      title={m.webhooks_remove_title()}
      confirmLabel={m.webhooks_remove()}
      pending={remove.isPending}
      error={remove.error ? refusalText(remove.error) : undefined}
    >
      {m.webhooks_remove_text({ url })}
    </ConfirmDialog>
  )
}
