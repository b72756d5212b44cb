import { Link, useParams } from '@tanstack/react-router'
import {
  documentKinds,
  getTraveler,
  revealTraveler,
  saveTravelerDocument,
  type Traveler,
} from '@tour-ops/contract/travelers/travelers'
import { Pencil, Plus, Share2 } from 'lucide-react'
import { useState } from 'react'
import { BackLink } from '../../records/back-link.tsx'
import { Feedback } from '../../records/feedback.ts'
import { GuestState } from '../../records/guest-state.tsx'
import { dietLabel, mobilityLabel, TravelerFlags } from '../../records/traveler-flags.tsx'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Definition, DefinitionList, Figures } from '../../ui/definition-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { DateInput } from '../../ui/date-field.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import {
  formatCountry,
  formatDay,
  formatLanguage,
  formatList,
  formatLocalDate,
  formatMoney,
  formatTimeThere,
} from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { MessageTravelers } from './message-travelers-later.ts'
import { TravelerMessages } from './traveler-messages.tsx'

/** "Who is this guest, and what must we know?" See docs/screens.md, "Travelers". */
export function TravelerDetailsPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/details/$id' })
  const { data: traveler } = useScreenQuery(callQuery(getTraveler, { id }))
  return traveler && <TravelerDetails traveler={traveler} />
}

function TravelerDetails({ traveler }: { traveler: Traveler }) {
  const [{ tab: asked }, setAddress] = useUrlState('/_dashboard/travelers/details/$id')
  const tab = asked === 'needs' || asked === 'documents' || asked === 'messages' ? asked : 'trips'
  const { can } = useAccess()
  const name = [traveler.firstName, traveler.lastName].filter(Boolean).join(' ')
  return (
    <Page
      back={<BackLink to="/travelers/list">{m.app_title_travelers()}</BackLink>}
      title={
        <span className="flex items-center gap-3">
          <Avatar name={name} size={36} />
          <bdi>{name}</bdi>
        </span>
      }
      context={<TravelerFlags flags={traveler.flags} max={4} />}
      actions={
        <>
          {can('notifications:send') && traveler.trips.length > 0 && <MessageTravelers ids={[traveler.id]} />}
          {can('links:manage') && traveler.trips.some(({ when }) => when !== 'before') && (
            <Link
              to="/tools/shared-links"
              search={{ create: 'open', kind: 'traveler', for: traveler.id }}
              className={buttonClass({})}
            >
              <Share2 size={16} aria-hidden />
              {m.travelers_share()}
            </Link>
          )}
          {can('travelers:manage') && (
            <Link to="/travelers/edit/$id" params={{ id: traveler.id }} className={buttonClass({})}>
              <Pencil size={16} aria-hidden />
              {m.travelers_edit()}
            </Link>
          )}
          {can('travelers:manage') && can('bookings:manage') && (
            <Link to="/travelers/book/$id" params={{ id: traveler.id }} className={buttonClass({ variant: 'primary' })}>
              <Plus size={16} aria-hidden />
              {m.bookings_new()}
            </Link>
          )}
        </>
      }
    >
      <Tabs
        label={name}
        value={tab}
        onChange={(next) => setAddress({ tab: next })}
        items={[
          { key: 'trips', label: m.travelers_tab_trips(), count: traveler.trips.length },
          { key: 'needs', label: m.travelers_tab_needs() },
          { key: 'documents', label: m.travelers_tab_documents(), count: traveler.documents.length },
          { key: 'messages', label: m.travelers_tab_messages() },
        ]}
        panelClassName="grid grid-cols-[minmax(0,1fr)] items-start gap-4 border-t border-line pt-4 lg:grid-cols-[minmax(0,1fr)_340px]"
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
          {tab === 'trips' && <Trips trips={traveler.trips} />}
          {tab === 'needs' && <Needs traveler={traveler} />}
          {tab === 'documents' && <Documents traveler={traveler} />}
          {tab === 'messages' && <TravelerMessages trips={traveler.trips} />}
          {tab === 'trips' && <TripFigures figures={traveler.figures} />}
          {tab === 'trips' && can('reports:read') && (
            <Card className="*:border-t-0 empty:hidden">
              <Feedback of={{ travelerId: traveler.id }} />
            </Card>
          )}
        </div>
        <Side traveler={traveler} />
      </Tabs>
    </Page>
  )
}

const tripGroups = [
  { when: 'now', title: m.travelers_trips_now },
  { when: 'next', title: m.travelers_trips_next },
  { when: 'before', title: m.travelers_trips_before },
] as const

function Trips({ trips }: { trips: Traveler['trips'] }) {
  if (trips.length === 0) {
    return (
      <Card>
        <Empty title={m.travelers_trips_empty()}>{m.travelers_trips_empty_text()}</Empty>
      </Card>
    )
  }
  return tripGroups.map(({ when, title }) => {
    const group = trips.filter((trip) => trip.when === when)
    if (group.length === 0) return null
    return (
      <Card key={when} title={title()}>
        <ul>
          {group.map((trip) => (
            <TripRow key={trip.bookingId + trip.departureId} trip={trip} />
          ))}
        </ul>
      </Card>
    )
  })
}

function TripRow({ trip }: { trip: Traveler['trips'][number] }) {
  const open = trip.amountTotalMinor - trip.amountPaidMinor
  const companions = trip.companions.map((one) => one.name)
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 lg:grid-cols-[150px_minmax(0,1fr)_160px_110px] lg:items-center">
      <span>
        <Ltr className="font-semibold text-ink-strong">{formatTimeThere(trip.startsAt, trip.timeZone)}</Ltr>{' '}
        <span className="whitespace-nowrap text-ink-2">{formatDay(trip.startsAt, trip.timeZone)}</span>
      </span>
      <span className="min-w-0">
        <Link to="." search={(before) => ({ ...before, departure: trip.departureId })} className="link">
          {trip.tourName}
        </Link>{' '}
        <span className="text-ink-2">
          <Ltr>{trip.bookingRef}</Ltr> · {m.travelers_party({ count: trip.pax })}
          {companions.length > 0 && ` · ${m.travelers_with({ names: formatList(companions) })}`}
        </span>
      </span>
      <GuestState {...trip} waitlistRank={null} isAhead={trip.when === 'next'} />
      <span className="num text-ink-2 lg:text-end">
        {open > 0 ? m.travelers_open_amount({ amount: formatMoney(open, trip.currency) }) : m.travelers_paid()}
      </span>
    </li>
  )
}

function Needs({ traveler }: { traveler: Traveler }) {
  const diet = [...traveler.dietary.map(dietLabel), traveler.dietaryNote]
  const mobility = [mobilityLabel(traveler.mobility), traveler.mobilityNote]
  return (
    <Card>
      <DefinitionList>
        <Definition label={m.travelers_diet()}>
          {diet.filter(Boolean).join(', ') || m.travelers_none_given()}
        </Definition>
        <Definition label={m.travelers_mobility()}>{mobility.filter(Boolean).join(', ')}</Definition>
        <Definition label={m.travelers_medical()}>
          {traveler.hasMedicalNote ? <Hidden id={traveler.id} field="medical" /> : m.travelers_no_medical()}
        </Definition>
        <Definition label={m.travelers_birth()}>
          {traveler.hasDateOfBirth ? <Hidden id={traveler.id} field="date_of_birth" /> : m.travelers_not_given()}
        </Definition>
      </DefinitionList>
    </Card>
  )
}

/** A fact that stays covered until somebody asks for it; the server writes down who did. */
function Hidden({ id, field }: { id: string; field: 'medical' | 'date_of_birth' }) {
  const { can } = useAccess()
  const reveal = useCall(revealTraveler)
  if (reveal.data) {
    const { medicalNote, dateOfBirth } = reveal.data
    return <>{field === 'medical' ? medicalNote : dateOfBirth && formatLocalDate(dateOfBirth)}</>
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {m.travelers_hidden()}
      {can('travelers_sensitive:read') && (
        <Button size="sm" pending={reveal.isPending} onClick={() => reveal.mutate({ id, fields: [field] })}>
          {m.travelers_show()}
        </Button>
      )}
      <span className="text-xs text-ink-2">
        {reveal.error ? m.travelers_refused({ reason: refusalText(reveal.error) }) : m.travelers_views_recorded()}
      </span>
    </span>
  )
}

const documentLabels = {
  passport: m.travelers_document_passport,
  id: m.travelers_document_id,
  visa: m.travelers_document_visa,
  insurance: m.travelers_document_insurance,
}

function Documents({ traveler }: { traveler: Traveler }) {
  const { can } = useAccess()
  return (
    <Card>
      {traveler.documents.length === 0 ? (
        <Empty title={m.travelers_documents_empty()}>{m.travelers_documents_empty_text()}</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {traveler.documents.map((document) => (
            <li key={document.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
              <b className="font-medium text-ink-strong">{documentLabels[document.kind]()}</b>
              <span className="text-ink-2">{document.country && formatCountry(document.country)}</span>
              {document.numberHint && (
                <Ltr className="text-ink-2">{m.travelers_document_number({ hint: document.numberHint })}</Ltr>
              )}
              <span className={document.expiring ? 'font-medium text-warn' : 'text-ink-2'}>{endText(document)}</span>
            </li>
          ))}
        </ul>
      )}
      {can('travelers_sensitive:read') && can('travelers:manage') && (
        <div className="border-t border-line px-4 py-3">
          <AddDocument travelerId={traveler.id} />
        </div>
      )}
    </Card>
  )
}

function endText({ expiresOn, expiring }: Traveler['documents'][number]): string {
  if (!expiresOn) return m.travelers_document_no_end()
  const date = formatLocalDate(expiresOn)
  return expiring ? m.travelers_document_too_short({ date }) : m.travelers_document_ends({ date })
}

type Kind = (typeof documentKinds)[number]

function AddDocument({ travelerId }: { travelerId: string }) {
  const [isOpen, setOpen] = useState(false)
  const [document, setDocument] = useState({ kind: 'passport' as Kind, number: '', country: '', expiresOn: '' })
  const save = useCall(saveTravelerDocument, {
    onSuccess: () => {
      toast(m.travelers_document_saved())
      setOpen(false)
    },
  })
  const problem = (field: string) => entryProblem(save.error, field)
  const send = () =>
    save.mutate({
      travelerId,
      kind: document.kind,
      number: document.number,
      country: document.country || null,
      expiresOn: document.expiresOn || null,
    })
  return (
    <>
      <Button icon={Plus} onClick={() => setOpen(true)}>
        {m.travelers_document_add()}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={m.travelers_document_add()}
        actions={
          <Button variant="primary" pending={save.isPending} onClick={send}>
            {m.travelers_document_add()}
          </Button>
        }
      >
        <div className="grid gap-4">
          <Field label={m.travelers_document_kind()}>
            <Select
              value={document.kind}
              onChange={(event) => setDocument({ ...document, kind: event.target.value as Kind })}
              options={documentKinds.map((value) => ({ value, label: documentLabels[value]() }))}
            />
          </Field>
          <Field label={m.travelers_document_number_label()} error={problem('number')}>
            <TextInput
              value={document.number}
              onChange={(event) => setDocument({ ...document, number: event.target.value })}
            />
          </Field>
          <Field label={m.travelers_document_country()} error={problem('country')}>
            <TextInput
              value={document.country}
              maxLength={2}
              placeholder="DE"
              onChange={(event) => setDocument({ ...document, country: event.target.value.toUpperCase() })}
            />
          </Field>
          <Field label={m.travelers_document_expires()} error={problem('expiresOn')}>
            <DateInput
              value={document.expiresOn}
              passText
              onChange={(expiresOn) => setDocument({ ...document, expiresOn })}
            />
          </Field>
          {save.error && !save.error.details.fieldErrors && (
            <p role="alert" className="font-medium text-bad">
              {m.travelers_refused({ reason: refusalText(save.error) })}
            </p>
          )}
        </div>
      </Dialog>
    </>
  )
}

function TripFigures({ figures }: Pick<Traveler, 'figures'>) {
  const paid = figures.paid.map((sum) => formatMoney(sum.amountMinor, sum.currency)).join(' + ')
  return (
    <Figures
      figures={[
        { label: m.travelers_figure_tours(), value: String(figures.toursTaken) },
        { label: m.travelers_figure_no_shows(), value: String(figures.noShows) },
        ...(figures.firstTourOn
          ? [{ label: m.travelers_figure_first(), value: formatLocalDate(figures.firstTourOn) }]
          : []),
        ...(paid ? [{ label: m.travelers_figure_paid(), value: paid }] : []),
      ]}
    />
  )
}

function Side({ traveler }: { traveler: Traveler }) {
  const { emergencyContact } = traveler
  return (
    <div className="flex flex-col gap-4">
      <Card title={m.travelers_contact()}>
        <DefinitionList>
          <Definition label={m.travelers_phone()}>
            {traveler.phone ? (
              <a className="link" href={`tel:${traveler.phone}`}>
                <Ltr>{traveler.phone}</Ltr>
              </a>
            ) : (
              m.travelers_none_given()
            )}
          </Definition>
          <Definition label={m.travelers_email()}>
            {traveler.email ? (
              <a className="link break-all" href={`mailto:${traveler.email}`}>
                {traveler.email}
              </a>
            ) : (
              m.travelers_none_given()
            )}
          </Definition>
          <Definition label={m.travelers_nationality()}>
            {traveler.nationality ? formatCountry(traveler.nationality) : m.travelers_not_given()}
          </Definition>
          <Definition label={m.travelers_languages()}>
            {formatList(traveler.languages.map((tag) => formatLanguage(tag))) || m.travelers_not_given()}
          </Definition>
          {traveler.preferredName && <Definition label={m.travelers_preferred()}>{traveler.preferredName}</Definition>}
          {traveler.tags.length > 0 && <Definition label={m.travelers_tags()}>{traveler.tags.join(', ')}</Definition>}
        </DefinitionList>
      </Card>
      <Card title={m.travelers_emergency()} padded>
        {emergencyContact ? (
          <p>
            {emergencyContact.name}
            {emergencyContact.relation && `, ${emergencyContact.relation}`}
            <br />
            <a className="link" href={`tel:${emergencyContact.phone}`}>
              <Ltr>{emergencyContact.phone}</Ltr>
            </a>
          </p>
        ) : (
          <p className="text-ink-2">{m.travelers_none_given()}</p>
        )}
      </Card>
    </div>
  )
}
