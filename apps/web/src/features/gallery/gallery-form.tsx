import { AppError } from '@tour-ops/contract/errors'
import type { FieldRule } from '@tour-ops/contract/field-rules'
import { useState } from 'react'
import * as z from 'zod/mini'
import { Card } from '../../ui/card.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { FormPage, FormSection, LeaveDialog } from '../../ui/form/form.tsx'
import {
  CheckboxFor,
  ComboboxFor,
  DateFor,
  MoneyFor,
  NumberFor,
  PasswordFor,
  RadioCardsFor,
  SelectFor,
  StepperFor,
  SwitchFor,
  TextAreaFor,
  TextFor,
  TimeFor,
} from '../../ui/form/field-for.tsx'
import { useAppForm, type FormDraft } from '../../ui/form/use-app-form.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'required')),
  email: z.email('email_form'),
  password: z.string(),
  contact: z.object({ city: z.string() }),
  seats: z.int('wrong_form').check(z.minimum(1, 'too_small')),
  priceMinor: z.nullable(z.int('An amount like 89.50.')),
  day: z.iso.date('Use a date like 2026-11-20.'),
  time: z.string(),
  channel: z.string().check(z.minLength(1, 'not_listed')),
  tour: z.nullable(z.string()),
  mode: z.enum(['hold', 'confirm']),
  adults: z.int(),
  note: z.string(),
  agreed: z.boolean(),
  live: z.boolean(),
})

const tours = ['Golden Circle', 'South Coast', 'Alfama walk', 'Northern Lights'].map((label, at) => ({
  value: `tour${at}`,
  label,
  detail: `${7 + at * 2} departures`,
}))

const draftKey = 'gallery draft'
type Draft = FormDraft<z.input<typeof schema>>

function readDraft(): Draft | null {
  const kept = sessionStorage.getItem(draftKey)
  return kept === null ? null : (JSON.parse(kept) as Draft)
}

function keepDraft(draft: Draft | null): void {
  if (draft) sessionStorage.setItem(draftKey, JSON.stringify(draft))
  else sessionStorage.removeItem(draftKey)
}

/** A form page with every field; the name "taken" is refused by a pretended server. */
export function GalleryForm() {
  const [isLeaving, setLeaving] = useState(false)
  const [draft] = useState(readDraft)
  const form = useAppForm({
    schema,
    draft,
    onDraft: keepDraft,
    defaultValues: {
      name: '',
      email: '',
      password: '',
      contact: { city: '' },
      seats: 1,
      priceMinor: 8950,
      day: '2026-11-21',
      time: '09:00',
      channel: '',
      tour: null,
      mode: 'hold',
      adults: 2,
      note: '',
      agreed: false,
      live: true,
    },
  })
  const save = async (values: z.output<typeof schema>) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    if (values.name === 'taken') {
      throw new AppError('invalid-argument', 'Not possible.', {
        details: { fieldIssues: { name: [{ code: 'option_name_taken' satisfies FieldRule }] } },
      })
    }
    if (values.name === 'broken')
      throw new AppError('internal', 'Something went wrong on our side.', { details: { requestId: '7f3a' } })
    return values.name
  }
  return (
    <>
      <FormPage
        form={form}
        title="New booking"
        context="for Amara Okafor"
        actions={<Button onClick={() => setLeaving(true)}>Leave</Button>}
        onSubmit={save}
        draft={draft}
        onDraft={keepDraft}
        onSaved={(name) => toast(`Saved ${name}`)}
        submitLabel="Hold 3 seats"
        onCancel={() => form.reset()}
        footerNote="Kept until today 18:00"
        side={
          <Card title="Summary">
            <DefinitionList>
              <Definition label="Total">€223.00</Definition>
              <Definition label="Pickup">08:20 City Hall</Definition>
              <Definition label="Note" />
            </DefinitionList>
          </Card>
        }
      >
        <FormSection title="Who" number={1} aside="All fields of the kit">
          <TextFor form={form} name="name" label="Name" hint="Type “taken” or “broken” to see a refusal." required />
          <TextFor form={form} name="email" type="email" label="E-mail" required />
          <PasswordFor form={form} name="password" label="Password" />
          <TextFor form={form} name="contact.city" label="City" placeholder="Reykjavík" />
        </FormSection>
        <FormSection title="What" number={2} columns={3}>
          <NumberFor form={form} name="seats" label="Seats" unit="seats" />
          <MoneyFor form={form} name="priceMinor" label="Price" currency="EUR" />
          <DateFor form={form} name="day" label="Day" />
          <TimeFor form={form} name="time" label="Start" />
          <SelectFor
            form={form}
            name="channel"
            label="Channel"
            placeholder="Choose"
            options={[
              { value: 'phone', label: 'Phone' },
              { value: 'desk', label: 'Desk' },
            ]}
          />
          <ComboboxFor form={form} name="tour" label="Tour" options={tours} placeholder="Type a name" />
          <StepperFor form={form} name="adults" label="Adult" hint="16 and over · €89" />
        </FormSection>
        <FormSection title="Hold or confirm" number={3} columns={1}>
          <RadioCardsFor
            form={form}
            name="mode"
            label="Hold or confirm"
            options={[
              { value: 'hold', label: 'Hold', hint: 'Kept until today 18:00, then given back.' },
              { value: 'confirm', label: 'Confirm', hint: 'Sold now. Amara gets the confirmation.' },
            ]}
          />
          <TextAreaFor form={form} name="note" label="Note" />
          <CheckboxFor form={form} name="agreed" label="Has agreed to the terms" hint="Read out on the phone" />
          <SwitchFor form={form} name="live" label="Tell the guide at once" hint="By a push message" />
        </FormSection>
      </FormPage>
      <LeaveDialog open={isLeaving} onStay={() => setLeaving(false)} onLeave={() => setLeaving(false)} />
    </>
  )
}
