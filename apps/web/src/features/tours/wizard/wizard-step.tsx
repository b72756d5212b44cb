import { Link } from '@tanstack/react-router'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { buttonClass } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { ItineraryEditor } from '../itinerary/itinerary-editor.tsx'
import { usePlaces } from '../itinerary/use-places.ts'
import { ScheduleForm } from '../schedule/schedule-form.tsx'
import { SchedulePreview } from '../schedule/schedule-preview.tsx'
import { toggleDate } from '../schedule/schedule-rule.ts'
import { useSchedulePreview } from '../schedule/use-schedule-preview.ts'
import { TextsEditor } from '../texts-editor.tsx'
import { useStartTime } from '../use-start-time.ts'
import { BasicsFields, CapacityFields, CrewFields } from '../tour-form.tsx'
import { UnitsEditor } from '../units-editor.tsx'
import { PublishCard } from './publish-card.tsx'
import type { WizardStepProps } from './wizard-step-props.ts'

/** What is next to the list of steps: the fields of one step. */
export function WizardStep(props: WizardStepProps) {
  const { step, tour, editing, form } = props
  const { content, setContent, problems, base } = editing
  const places = usePlaces(tour.places)
  const startTime = useStartTime(tour)
  switch (step) {
    case 'basics':
      return (
        <div className="card divide-y divide-line">
          <BasicsFields key={base.version} form={form} />
        </div>
      )
    case 'itinerary':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <ItineraryEditor
            history={content.itinerary}
            onChange={(itinerary) => setContent({ itinerary })}
            places={places}
            startTime={startTime}
            isWalking={tour.kind === 'walking'}
            timeZone={tour.timeZone}
          />
        </div>
      )
    case 'capacity':
      return (
        <div className="card">
          <CapacityFields form={form} />
        </div>
      )
    case 'prices':
      return (
        <div className="card self-start">
          <UnitsEditor prices={content.prices} onChange={(prices) => setContent({ prices })} problems={problems} />
        </div>
      )
    case 'crew':
      return (
        <div className="card">
          <CrewFields key={base.version} form={form} />
        </div>
      )
    case 'schedule':
      return <ScheduleStep {...props} />
    case 'messages':
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_380px]">
          <Card title={m.tours_texts()} context={m.tours_texts_text()}>
            <TextsEditor texts={content.texts} onChange={(texts) => setContent({ texts })} />
            <p className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 text-ink-2 lg:px-5">
              <span className="min-w-0 flex-1">{m.tours_links_text()}</span>
              <Link to="/settings/notifications" className={buttonClass({ size: 'sm' })}>
                {m.tours_see_messages()}
              </Link>
              <Link to="/tools/shared-links" className={buttonClass({ size: 'sm' })}>
                {m.tours_see_links()}
              </Link>
            </p>
          </Card>
          <PublishCard {...props} />
        </div>
      )
  }
}

function ScheduleStep({ tour, schedule, onSchedule }: WizardStepProps) {
  const { preview, isFetching, error } = useSchedulePreview(tour.id, schedule)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[1100px]:grid-cols-2">
      <Card title={m.tours_when()} padded>
        <ScheduleForm fields={schedule} onChange={onSchedule} defaultCapacity={tour.defaultCapacity} refused={error} />
        {error && !error.details.fieldErrors && (
          <Banner tone="bad" role="alert">
            {refusalText(error)}
          </Banner>
        )}
      </Card>
      {preview ? (
        <SchedulePreview
          preview={preview}
          from={schedule.from}
          to={schedule.to}
          exceptDates={schedule.exceptDates}
          capacity={schedule.capacity ?? tour.defaultCapacity}
          onToggleDate={(date) => onSchedule({ exceptDates: toggleDate(schedule.exceptDates, date) })}
        />
      ) : (
        isFetching && <SkeletonRows rows={8} />
      )}
    </div>
  )
}
