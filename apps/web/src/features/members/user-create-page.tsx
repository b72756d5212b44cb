import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { roles } from '@tour-ops/contract/identity/access'
import type { Out } from '@tour-ops/contract/callable'
import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { Id, optionalText, orNull, whole } from '@tour-ops/contract/fields'
import { inviteMembers } from '@tour-ops/contract/members/members'
import { locales } from '@tour-ops/contract/locales'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { currentLocale, localeNames } from '../../ui/locale.ts'
import { roleName } from '../../identity/role-name.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { ComboboxFor, NumberFor, RadioCardsFor, SelectFor, TextAreaFor } from '../../ui/form/field-for.tsx'
import { FormPage, FormSection, LeaveDialog } from '../../ui/form/form.tsx'
import { useAppForm, type AppForm } from '../../ui/form/use-app-form.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { failureText, roleSummary } from './member-labels.ts'
import { maxAddresses, parseAddresses } from './parse-addresses.ts'

const InviteForm = z.object({
  addresses: z.string().check(
    z.refine((typed) => parseAddresses(typed).length > 0, { error: () => m.members_addresses_empty() }),
    z.refine((typed) => parseAddresses(typed).length <= maxAddresses, {
      error: () => m.members_addresses_too_many({ count: maxAddresses }),
    }),
  ),
  // Empty until somebody chooses: no role is proposed, it is what the page is about.
  role: z.pipe(z.enum(['', ...roles]), z.enum(roles, { error: () => m.members_role_empty() })),
  staffId: orNull(Id),
  locale: z.enum(locales),
  message: optionalText(1000),
  expiresInDays: whole(1, 30),
})
type Values = z.input<typeof InviteForm>
type Output = z.output<typeof InviteForm>
type Result = Out<typeof inviteMembers>

/** Invites one or many. What failed stays in the field, with its reason, and keeps nobody else waiting. See docs/screens.md, "Members". */
export function UserCreatePage() {
  const navigate = useNavigate()
  const [isDirty, setDirty] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const [isDone, setDone] = useState(false)
  const leaving = useUnsavedChanges(isDirty && !isDone)
  const form = useAppForm({
    schema: InviteForm,
    defaultValues: {
      addresses: '',
      role: '',
      staffId: null,
      locale: currentLocale(),
      message: '',
      expiresInDays: 7,
    },
    onDirtyChange: setDirty,
  })
  const days = useWatch({ control: form.control, name: 'expiresInDays' })
  const addresses = parseAddresses(useWatch({ control: form.control, name: 'addresses' }) ?? '')
  const invite = useCall(inviteMembers)
  const send = ({ addresses: typed, staffId, ...rest }: Output): Promise<Result> => {
    const emails = parseAddresses(typed)
    setResult(null)
    return invite.mutateAsync({ ...rest, emails, staffId: emails.length === 1 ? staffId : null })
  }
  const finish = (answer: Result) => {
    if (answer.invited.length > 0) toast(m.members_invited_toast({ count: answer.invited.length }))
    if (answer.failed.length === 0) return setDone(true)
    form.reset({ ...form.getValues(), addresses: answer.failed.map(({ email }) => email).join('\n') })
    setResult(answer)
  }
  // In an effect: the guard must have been told that nothing is unsaved.
  useEffect(() => {
    if (isDone) void navigate({ to: '/user-management/list' })
  }, [isDone, navigate])
  return (
    <>
      <FormPage
        form={form}
        title={m.app_title_user_create()}
        context={m.members_invite_context()}
        submitLabel={addresses.length > 1 ? m.members_invite_many({ count: addresses.length }) : m.members_invite()}
        onSubmit={send}
        onSaved={finish}
        onCancel={() => void navigate({ to: '/user-management/list' })}
      >
        {result && <Outcome result={result} />}
        <FormSection title={m.members_who()} columns={1}>
          <TextAreaFor
            form={form}
            name="addresses"
            label={m.members_addresses()}
            hint={
              addresses.length > 0 ? m.members_addresses_found({ count: addresses.length }) : m.members_addresses_hint()
            }
            rows={4}
            required
          />
          {addresses.length === 1 && <StaffField form={form} />}
        </FormSection>
        <FormSection title={m.members_role()} columns={1}>
          <RadioCardsFor
            form={form}
            name="role"
            label={m.members_role_for_all()}
            columns={2}
            options={roles.map((role) => ({ value: role, label: roleName(role), hint: roleSummary(role) }))}
          />
        </FormSection>
        <FormSection title={m.members_email_text()}>
          <SelectFor
            form={form}
            name="locale"
            label={m.members_language()}
            options={locales.map((locale) => ({ value: locale, label: localeNames[locale] }))}
          />
          <NumberFor
            form={form}
            name="expiresInDays"
            label={m.members_valid_for()}
            unit={m.members_days({ count: days })}
            min={1}
            max={30}
          />
          <TextAreaFor
            form={form}
            name="message"
            label={m.members_message()}
            hint={m.members_message_hint()}
            className="sm:col-span-2"
          />
        </FormSection>
      </FormPage>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

/** Only with a single address: a field-staff record belongs to one person. */
function StaffField({ form }: { form: AppForm<Values, Output> }) {
  const [q, setQ] = useState('')
  const { data, isFetching } = useQuery({
    ...callQuery(listFieldStaff, { q, filters: { status: ['active'] }, sort: [{ by: 'name' }], size: 30 }),
    placeholderData: keepPreviousData,
  })
  return (
    <ComboboxFor
      form={form}
      name="staffId"
      label={m.members_staff_optional()}
      hint={m.members_link_staff_text()}
      options={(data?.rows ?? []).map(({ id, name, homeBase }) => ({ value: id, label: name, detail: homeBase?.name }))}
      onSearch={setQ}
      loading={isFetching}
      placeholder={m.members_staff_placeholder()}
      emptyText={m.members_staff_none()}
    />
  )
}

function Outcome({ result: { invited, failed } }: { result: Result }) {
  return (
    <div className="flex flex-col gap-2 px-4 py-3.5 lg:px-5">
      {invited.length > 0 && (
        <Banner tone="ok" icon={CircleCheck} role="status" title={m.members_invited_toast({ count: invited.length })}>
          <Ltr>{invited.map(({ email }) => email).join(', ')}</Ltr>
        </Banner>
      )}
      <Banner tone="bad" role="alert" framed title={m.members_not_invited({ count: failed.length })}>
        <ul>
          {failed.map(({ email, reason }) => (
            <li key={`${email} ${reason}`}>
              <Ltr className="font-medium">{email}</Ltr>: {failureText(reason)}
            </li>
          ))}
        </ul>
      </Banner>
    </div>
  )
}
