import { Link } from '@tanstack/react-router'
import type { Tour } from '@tour-ops/contract/tours/tours'
import { Card } from '../../../ui/card.tsx'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { Definition, DefinitionList } from '../../../ui/definition-list.tsx'
import { formatDayTimeThere, viewerZone } from '../../../ui/format.ts'
import { ItineraryEditor } from '../itinerary/itinerary-editor.tsx'
import { usePlaces } from '../itinerary/use-places.ts'
import { TextsEditor } from '../texts-editor.tsx'
import { useStartTime } from '../use-start-time.ts'
import { BasicsFields, CapacityFields, CrewFields } from '../tour-form.tsx'
import { type TourForm } from '../tour-values.ts'
import { problemText, stepLabels } from '../tour-labels.ts'
import { UnitsEditor } from '../units-editor.tsx'
import type { TourEditing } from '../use-tour-editing.ts'
import { ActivityTab } from './activity-tab.tsx'
import { DeparturesTab } from './departures-tab.tsx'
import { OptionsCard } from './options-card.tsx'

export const editTabs = [
  'overview',
  'itinerary',
  'prices',
  'rules',
  'departures',
  'texts',
  'revisions',
  'activity',
] as const
export type EditTab = (typeof editTabs)[number]

export interface TabPanelProps {
  tab: EditTab
  tour: Tour
  editing: TourEditing
  form: TourForm
  readOnly: boolean
}

/** What is under the tabs of a tour. */
export function TabPanel({ tab, tour, editing, form, readOnly }: TabPanelProps) {
  const { content, setContent, problems, base } = editing
  const places = usePlaces(tour.places)
  const startTime = useStartTime(tour)
  switch (tab) {
    case 'overview':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
          <fieldset disabled={readOnly} className="card min-w-0 divide-y divide-line">
            <legend className="sr-only">{m.tours_section_basics()}</legend>
            <BasicsFields key={base.version} form={form} />
          </fieldset>
          <State tour={tour} />
        </div>
      )
    case 'itinerary':
      return (
        <ItineraryEditor
          history={content.itinerary}
          onChange={(itinerary) => setContent({ itinerary })}
          places={places}
          startTime={startTime}
          isWalking={tour.kind === 'walking'}
          timeZone={tour.timeZone}
          readOnly={readOnly}
        />
      )
    case 'prices':
      return (
        <div className="card">
          <UnitsEditor
            prices={content.prices}
            onChange={(prices) => setContent({ prices })}
            problems={problems}
            readOnly={readOnly}
          />
        </div>
      )
    case 'rules':
      return (
        <div className="grid gap-4">
          <fieldset disabled={readOnly} className="card min-w-0 divide-y divide-line">
            <legend className="sr-only">{m.tours_tab_rules()}</legend>
            <CapacityFields form={form} />
            <CrewFields key={base.version} form={form} />
          </fieldset>
          <OptionsCard key={JSON.stringify(tour.options)} tour={tour} readOnly={readOnly} onSaved={editing.onOwnSave} />
        </div>
      )
    case 'departures':
      return <DeparturesTab tour={tour} />
    case 'texts':
      return (
        <div className="card">
          <TextsEditor texts={content.texts} onChange={(texts) => setContent({ texts })} readOnly={readOnly} />
        </div>
      )
    case 'revisions':
      return <Revisions tour={tour} />
    case 'activity':
      return <ActivityTab tourId={tour.id} />
  }
}

/** The status of the tour: its revision, what is missing, what is planned. */
function State({ tour }: { tour: Tour }) {
  return (
    <div className="grid gap-4">
      {tour.draft && tour.problems.length > 0 && (
        <Banner tone="warn" title={m.tours_publish_problems()}>
          <ul>
            {tour.problems.map((problem) => (
              <li key={problem.reason}>
                {stepLabels[problem.step]()}: {problemText(problem)}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <Card title={m.tours_state()}>
        <DefinitionList>
          <Definition label={m.tours_revision()}>
            {tour.revision && m.tours_revision_n({ number: tour.revision.number })}
          </Definition>
          <Definition label={m.tours_published_at()}>
            {tour.revision && (
              <span className="num">{formatDayTimeThere(tour.revision.publishedAt, viewerZone())}</span>
            )}
          </Definition>
          <Definition label={m.tours_draft()}>{tour.draft ? m.tours_draft_open() : m.tours_draft_none()}</Definition>
          <Definition label={m.tours_upcoming()}>
            {tour.upcomingDepartures > 0 ? (
              <Link to="/tours/all" search={{ show: 'departures', 'f.tourId': tour.id }} className="link num">
                {m.tours_departure_count({ count: tour.upcomingDepartures })}
              </Link>
            ) : (
              m.tours_departures_none()
            )}
          </Definition>
        </DefinitionList>
      </Card>
    </div>
  )
}

function Revisions({ tour }: { tour: Tour }) {
  if (tour.revisions.length === 0) return <p className="card px-4 py-6 text-ink-2">{m.tours_revisions_none()}</p>
  return (
    <ol className="card">
      {tour.revisions.map((revision) => (
        <li
          key={revision.id}
          className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-3 last:border-0"
        >
          <b className="font-semibold text-ink-strong">{m.tours_revision_n({ number: revision.number })}</b>
          {revision.id === tour.revision?.id && (
            <span className="text-xs font-medium text-ok">{m.tours_revision_current()}</span>
          )}
          <span className="num ms-auto text-ink-2">{formatDayTimeThere(revision.publishedAt, viewerZone())}</span>
          <span className="w-full text-ink-2">
            {[revision.publishedByName, revision.note].filter(Boolean).join(' · ')}
          </span>
        </li>
      ))}
    </ol>
  )
}
