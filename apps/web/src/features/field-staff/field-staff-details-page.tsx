import { Link, useParams } from '@tanstack/react-router'
import { type FieldStaff, getFieldStaff, setFieldStaffStatus } from '@tour-ops/contract/field-staff/field-staff'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { certificateLabels } from './certificate-labels.ts'
import { BackLink } from '../../records/back-link.tsx'
import { Feedback } from '../../records/feedback.ts'
import { linkStateLabels } from '../../records/link-state-labels.ts'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Definition, DefinitionList, Figures } from '../../ui/definition-list.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatLanguage, formatLocalDate, formatPercent } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { CalendarFeedCard } from '../calendar-feeds/index.ts'
import { DevicesCard, DutyCard } from '../tracking/index.ts'
import { StaffAssignments } from './staff-assignments.tsx'
import { StaffSchedule } from './staff-schedule.tsx'
import { certificateStateLabels, employmentLabels, kindLabels, staffStatusLabels } from './staff-labels.ts'

/** "Who is this, and what is ahead of them?" See docs/screens.md, "Field staff". */
export function FieldStaffDetailsPage() {
  const { id } = useParams({ from: '/_dashboard/field-staff/details/$id' })
  const { data } = useScreenQuery(callQuery(getFieldStaff, { id }))
  return data && <StaffDetails person={data} />
}

function StaffDetails({ person }: { person: FieldStaff }) {
  const [{ tab: asked }, setAddress] = useUrlState('/_dashboard/field-staff/details/$id')
  const { can } = useAccess()
  const mayReadFeedback = can('reports:read')
  const tab =
    asked === 'assignments' || asked === 'certificates' || (asked === 'feedback' && mayReadFeedback)
      ? asked
      : 'schedule'
  return (
    <Page
      back={<BackLink to="/field-staff/list">{m.app_title_staff_list()}</BackLink>}
      title={
        <span className="flex items-center gap-3">
          <Avatar name={person.name} size={36} />
          <bdi>{person.name}</bdi>
        </span>
      }
      context={`${person.kinds.map((kind) => kindLabels[kind]()).join(', ')} · ${person.status === 'active' ? linkStateLabels[person.dutyState]() : staffStatusLabels[person.status]()}`}
      actions={
        can('staff:manage') && (
          <>
            <StatusButton person={person} />
            <Link to="/field-staff/edit/$id" params={{ id: person.id }} className={buttonClass({})}>
              <Pencil size={16} aria-hidden />
              {m.field_staff_edit()}
            </Link>
          </>
        )
      }
    >
      <Tabs
        label={person.name}
        value={tab}
        onChange={(next) => setAddress({ tab: next })}
        items={[
          { key: 'schedule', label: m.field_staff_tab_schedule() },
          { key: 'assignments', label: m.field_staff_tab_assignments() },
          ...(mayReadFeedback ? [{ key: 'feedback' as const, label: m.field_staff_tab_feedback() }] : []),
          { key: 'certificates', label: m.field_staff_tab_certificates(), count: person.certificates.length },
        ]}
        panelClassName="grid grid-cols-[minmax(0,1fr)] items-start gap-4 border-t border-line pt-4 lg:grid-cols-[minmax(0,1fr)_340px]"
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          <StaffFigures figures={person.figures} />
          <Card>
            {tab === 'schedule' && <StaffSchedule staffId={person.id} />}
            {tab === 'assignments' && <StaffAssignments staffId={person.id} />}
            {tab === 'feedback' && (
              <Feedback
                of={{ staffId: person.id }}
                empty={<Empty title={m.field_staff_feedback_none()}>{m.field_staff_feedback_none_text()}</Empty>}
              />
            )}
            {tab === 'certificates' && <Certificates person={person} />}
          </Card>
        </div>
        <div className="grid gap-4">
          <Side person={person} />
          {/* the shortest list first: a button must not move away from under the pointer while a list above it loads */}
          {can('tracking:read') && <DevicesCard of={{ staffId: person.id }} />}
          {can('tracking:read') && <DutyCard of={{ staffId: person.id }} />}
          <CalendarFeedCard of={{ subject: 'staff', subjectId: person.id }} />
        </div>
      </Tabs>
    </Page>
  )
}

function StatusButton({ person }: { person: FieldStaff }) {
  const [isAsking, setAsking] = useState(false)
  const to = person.status === 'active' ? 'inactive' : 'active'
  const change = useCall(setFieldStaffStatus, {
    onSuccess: () => {
      setAsking(false)
      toast(m.field_staff_status_changed({ name: person.name, status: staffStatusLabels[to]() }))
    },
  })
  const send = () => change.mutate({ id: person.id, version: person.version, to })
  return (
    <>
      <Button onClick={() => (to === 'active' ? send() : setAsking(true))}>
        {to === 'active' ? m.field_staff_activate() : m.field_staff_deactivate()}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={send}
        title={m.field_staff_deactivate_title({ name: person.name })}
        confirmLabel={m.field_staff_deactivate()}
        pending={change.isPending}
        error={change.error ? refusalText(change.error) : undefined}
      >
        {m.field_staff_deactivate_text()}
      </ConfirmDialog>
    </>
  )
}

function Certificates({ person }: { person: FieldStaff }) {
  if (person.certificates.length === 0) return <Empty title={m.field_staff_certificates_empty()} />
  return (
    <ul className="divide-y divide-line">
      {person.certificates.map((certificate) => (
        <li key={certificate.id} className="flex flex-wrap items-center gap-x-4 px-4 py-2.5">
          <b className="font-medium text-ink-strong">{certificateLabels[certificate.kind]()}</b>
          {certificate.number && <Ltr className="text-ink-2">{certificate.number}</Ltr>}
          <span className="text-ink-2">
            {certificate.validUntil
              ? m.field_staff_valid_until({ date: formatLocalDate(certificate.validUntil) })
              : m.field_staff_no_end()}
          </span>
          {certificate.state !== 'ok' && (
            <span className={certificate.state === 'expired' ? 'font-medium text-bad' : 'font-medium text-warn'}>
              {certificateStateLabels[certificate.state]()}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const share = (value: number | null): string => (value === null ? '–' : formatPercent(value))

const StaffFigures = ({ figures }: Pick<FieldStaff, 'figures'>) => (
  <Figures
    figures={[
      { label: m.field_staff_figure_month(), value: String(figures.departures30d) },
      { label: m.field_staff_figure_year(), value: String(figures.departures365d) },
      { label: m.field_staff_figure_on_time(), value: share(figures.onTimeStartShare) },
      { label: m.field_staff_figure_accepted(), value: share(figures.acceptanceShare) },
    ]}
  />
)

function Side({ person }: { person: FieldStaff }) {
  const { can } = useAccess()
  const hidden = can('staff_private:read') ? m.field_staff_none_given() : m.field_staff_hidden()
  const { emergencyContact } = person
  return (
    <Card title={m.field_staff_contact()}>
      <DefinitionList>
        <Definition label={m.field_staff_phone()}>
          {person.phone ? (
            <a className="link" href={`tel:${person.phone}`}>
              <Ltr>{person.phone}</Ltr>
            </a>
          ) : (
            hidden
          )}
        </Definition>
        <Definition label={m.field_staff_email()}>
          {person.email ? (
            <a className="link break-all" href={`mailto:${person.email}`}>
              {person.email}
            </a>
          ) : (
            hidden
          )}
        </Definition>
        <Definition label={m.field_staff_emergency()}>
          {emergencyContact ? `${emergencyContact.name}, ${emergencyContact.phone}` : hidden}
        </Definition>
        <Definition label={m.field_staff_base()}>{person.homeBase?.name ?? m.field_staff_none_given()}</Definition>
        <Definition label={m.field_staff_languages()}>
          {person.languages.map((spoken) => `${formatLanguage(spoken.tag)} ${spoken.level}`).join(', ') ||
            m.field_staff_none_given()}
        </Definition>
        <Definition label={m.field_staff_employment()}>{employmentLabels[person.employment]()}</Definition>
        <Definition label={m.field_staff_rules()}>
          {m.field_staff_rules_text({ hours: person.maxHoursPerDay, rest: person.minRestHours })}
        </Definition>
        <Definition label={m.field_staff_account()}>{person.memberName ?? m.field_staff_no_account()}</Definition>
      </DefinitionList>
    </Card>
  )
}
