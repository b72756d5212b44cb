import { useQuery } from '@tanstack/react-query'
import { channels as allChannels } from '@tour-ops/contract/bookings/channels'
import { type GuestEvent, setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { maxAudienceTours, type RuleAudience } from '@tour-ops/contract/notifications/rule-audience'
import type { RuleConditions } from '@tour-ops/contract/notifications/rule-conditions'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Several } from '../../ui/several.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useDebounced } from '../../ui/settled-value.ts'
import { toast } from '../../ui/toast.tsx'
import { BackTest } from './back-test.tsx'
import { ConditionFields, problemOf, readConditions, typedConditions } from './condition-fields.tsx'
import { kindLabel } from './outbox-labels.tsx'

interface AudienceDialogProps {
  event: GuestEvent
  /** As it is saved. */
  audience: RuleAudience
  conditions: RuleConditions
  /** What the rule has sent in the last seven days. */
  sent: number
  onClose: () => void
}

/** Limits a rule to guests of some tours, who bought in some ways, whose party has a size, or who owe something or nothing. What is chosen says what it would have written before it is saved. */
export function AudienceDialog({ event, audience, conditions, sent, onClose }: AudienceDialogProps) {
  const [areTours, setTours] = useState(audience.tourIds.length > 0)
  const [areChannels, setChannels] = useState(audience.channels.length > 0)
  const [chosen, setChosen] = useState(audience)
  const [typed, setTyped] = useState(() => typedConditions(conditions))
  const [areProblemsShown, showProblems] = useState(false)
  const { data } = useQuery(callQuery(tourOptionsForPickers, {}))
  const save = useCall(setGuestRule, {
    onSuccess: () => {
      toast(m.notifications_rules_set())
      onClose()
    },
  })
  const wanted = { tourIds: areTours ? chosen.tourIds : [], channels: areChannels ? chosen.channels : [] }
  const isMissing = (areTours && wanted.tourIds.length === 0) || (areChannels && wanted.channels.length === 0)
  const asked = readConditions(typed)
  const isSame = JSON.stringify([wanted, asked.data]) === JSON.stringify([audience, conditions])
  // not for each digit of a number
  const considered = useDebounced({ audience: wanted, conditions: asked.data })
  const submit = () => {
    if (!asked.data) return showProblems(true)
    if (isSame) return onClose()
    save.mutate({ event, audience: wanted, conditions: asked.data })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.notifications_rules_who_of({ rule: kindLabel(event) })}
      locked={save.isPending}
      actions={
        <Button
          variant="primary"
          pending={save.isPending}
          disabledReason={isMissing ? m.notifications_rules_who_choose() : undefined}
          onClick={submit}
        >
          {m.notifications_template_save()}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Field label={m.notifications_rules_who_tours()}>
          <Select
            value={areTours ? 'some' : 'all'}
            options={[
              { value: 'all', label: m.notifications_rules_all_tours() },
              { value: 'some', label: m.notifications_rules_some_tours() },
            ]}
            onChange={({ target }) => setTours(target.value === 'some')}
          />
        </Field>
        {areTours &&
          (data ? (
            <Several
              label={m.notifications_rules_some_tours()}
              options={data.tours
                .filter(({ id, status }) => status !== 'archived' || audience.tourIds.includes(id))
                .map(({ id, code, name }) => ({ value: id, label: `${code} · ${name}` }))}
              chosen={chosen.tourIds}
              onChange={(tourIds) => setChosen({ ...chosen, tourIds: [...tourIds] })}
              atMost={maxAudienceTours}
              empty={m.notifications_rules_no_tours()}
            />
          ) : (
            <SkeletonRows rows={3} />
          ))}
        <Field label={m.notifications_rules_who_channels()}>
          <Select
            value={areChannels ? 'some' : 'all'}
            options={[
              { value: 'all', label: m.notifications_rules_all_channels() },
              { value: 'some', label: m.notifications_rules_some_channels() },
            ]}
            onChange={({ target }) => setChannels(target.value === 'some')}
          />
        </Field>
        {areChannels && (
          <Several
            label={m.notifications_rules_some_channels()}
            options={allChannels.map((value) => ({ value, label: saleChannelLabel(value) }))}
            chosen={chosen.channels}
            onChange={(next) => setChosen({ ...chosen, channels: allChannels.filter((one) => next.includes(one)) })}
            atMost={allChannels.length}
            empty=""
          />
        )}
        <ConditionFields
          typed={typed}
          onChange={setTyped}
          onLeave={() => showProblems(true)}
          problem={(field) =>
            (areProblemsShown ? problemOf(asked, field) : undefined) ?? entryProblem(save.error, `conditions.${field}`)
          }
        />
        {!isSame && !isMissing && asked.data && considered.conditions && (
          <p role="status" className="empty:hidden">
            <BackTest event={event} audience={considered.audience} conditions={considered.conditions} sent={sent} />
          </p>
        )}
        {save.error && (
          <Banner tone="bad" role="alert" framed>
            {refusalText(save.error)}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}
