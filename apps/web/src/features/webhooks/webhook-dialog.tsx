import {
  changeWebhook,
  createWebhook,
  type Webhook,
  WebhookFields,
  webhookEvents,
} from '@tour-ops/contract/webhooks/webhooks'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SeveralFor, SwitchFor, TextFor } from '../../ui/form/field-for.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { eventLabel } from './webhook-labels.tsx'

interface WebhookDialogProps {
  /** Absent for a new one. */
  webhook: Webhook | undefined
  onClose: () => void
  /** With the secret of a new one, which is shown this once. */
  onMade: (secret: string) => void
}

/** Where to send, and what. */
export function WebhookDialog({ webhook, onClose, onMade }: WebhookDialogProps) {
  const create = useCall(createWebhook)
  const change = useCall(changeWebhook)
  const form = useAppForm({
    schema: WebhookFields,
    defaultValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook?.events ?? [],
      isOn: webhook?.isOn ?? true,
    },
  })
  const isPending = create.isPending || change.isPending
  const title = webhook ? m.webhooks_edit() : m.webhooks_add()
  return (
    <Dialog open onClose={onClose} title={title} locked={isPending}>
      <FormShell
        form={form}
        onSubmit={async (values): Promise<string | null> => {
          if (!webhook) return (await create.mutateAsync(values)).secret
          await change.mutateAsync({ ...values, id: webhook.id, version: webhook.version })
          return null
        }}
        onSaved={(secret) => {
          if (secret === null) toast(m.webhooks_saved())
          onClose()
          if (secret !== null) onMade(secret)
        }}
      >
        <div className="grid gap-3">
          <TextFor
            form={form}
            name="url"
            label={m.webhooks_url()}
            hint={m.webhooks_url_hint()}
            maxLength={500}
            required
          />
          <SeveralFor
            form={form}
            name="events"
            label={m.webhooks_events()}
            options={webhookEvents.map((event) => ({ value: event, label: eventLabel(event), hint: event }))}
            required
          />
          <TextFor form={form} name="description" label={m.webhooks_description()} maxLength={200} />
          {webhook && <SwitchFor form={form} name="isOn" label={m.webhooks_is_on()} hint={m.webhooks_is_on_hint()} />}
        </div>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <Button variant="primary" type="submit" pending={isPending}>
            {webhook ? m.webhooks_save() : m.webhooks_add()}
          </Button>
        </div>
      </FormShell>
    </Dialog>
  )
}
