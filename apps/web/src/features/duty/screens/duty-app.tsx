import { dutyPath, usualEmergencyNumber } from '@tour-ops/contract/duty/duty-terms'
import { Route, Router, Switch } from 'wouter'
import { lazy, type ReactNode, Suspense } from 'react'
import { m } from '../../../paraglide/messages.js'
import { DutyPage } from '../components/page.tsx'
import { guestWith } from '../rules/guest-list.ts'
import { usePhone, useShownDay } from '../store/phone.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import '../duty.css'
import { GuestPage } from './guest-page.tsx'
import { Guests } from './guests.tsx'
import { HeadCount } from './head-count.tsx'
import { MyDay } from './my-day.tsx'
import { OfflinePage } from './offline-page.tsx'
import { WithoutDay } from './person-states.tsx'
import { RefusedPage } from './refused-page.tsx'
import { RunSheet } from './run-sheet.tsx'

// Loaded when they are opened; without a network they come from the worker's cache.
const ScanPage = lazy(() =>
  import('./scan-page.tsx').then(({ ScanPage: Loaded }) => ({ default: Loaded })).catch(() => ({ default: NotLoaded })),
)
const IncidentPage = lazy(() =>
  import('./incident-page.tsx')
    .then(({ IncidentPage: Loaded }) => ({ default: Loaded }))
    .catch(() => ({ default: NoHelpLoaded })),
)
const HelpPage = lazy(() =>
  import('./help-page.tsx')
    .then(({ HelpPage: Loaded }) => ({ default: Loaded }))
    .catch(() => ({ default: NoHelpLoaded })),
)

const withoutDay: readonly string[] = ['signed-out', 'not-staff', 'link-over', 'link-early']

/** The guide's phone: everything is answered from what it keeps, with or without a signal. */
export function DutyApp() {
  const person = usePhone((state) => state.person)
  const isReady = usePhone((state) => state.isReady)
  const day = useShownDay()
  return (
    <Router base={dutyPath}>
      {day && !withoutDay.includes(person) ? <DayRoutes day={day} /> : <WithoutDay person={person} isReady={isReady} />}
    </Router>
  )
}

const NotFound = () => (
  <DutyPage title={m.duty_my_day()} back="/">
    <p className="p-4">{m.duty_not_found()}</p>
  </DutyPage>
)

const NotLoaded = ({ shown }: { shown: ShownDeparture }) => (
  <DutyPage title={m.duty_scan()} back={`/tours/${shown.id}/guests`}>
    <p className="p-4">{m.duty_not_loaded()}</p>
  </DutyPage>
)

/** Whoever needs help still gets the numbers. */
const NoHelpLoaded = ({ day }: { day: ShownDay }) => (
  <DutyPage title={m.duty_help()} back="/">
    {[day.organization.emergencyNumber ?? usualEmergencyNumber, day.organization.phone].map(
      (number) =>
        number !== null && (
          <a key={number} href={`tel:${number}`} className="duty-row text-ink-strong underline">
            {number}
          </a>
        ),
    )}
    <p className="p-4">{m.duty_not_loaded()}</p>
  </DutyPage>
)

interface OfTourProps {
  day: ShownDay
  id: string
  children: (shown: ShownDeparture) => ReactNode
}

/** A departure that is not, or no longer, on this phone shows a notice. */
function OfTour({ day, id, children }: OfTourProps) {
  const shown = day.departures.find((one) => one.id === id)
  return shown ? children(shown) : <NotFound />
}

const DayRoutes = ({ day }: { day: ShownDay }) => (
  <Switch>
    <Route path="/">
      <MyDay day={day} />
    </Route>
    <Route path="/refused">
      <RefusedPage day={day} />
    </Route>
    <Route path="/offline">
      <OfflinePage day={day} />
    </Route>
    <Route path="/tours/:id">
      {({ id }) => (
        <OfTour day={day} id={id}>
          {(shown) => <RunSheet key={id} day={day} shown={shown} />}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/guests">
      {({ id }) => (
        <OfTour day={day} id={id}>
          {(shown) => <Guests key={id} day={day} shown={shown} />}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/guests/:entryId">
      {({ id, entryId }) => (
        <OfTour day={day} id={id}>
          {(shown) => {
            const guest = guestWith(shown, entryId)
            return guest ? <GuestPage key={entryId} day={day} shown={shown} guest={guest} /> : <NotFound />
          }}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/count/:stopId">
      {({ id, stopId }) => (
        <OfTour day={day} id={id}>
          {(shown) => {
            const stop = shown.departure.stops.find((one) => one.id === stopId)
            return stop ? <HeadCount key={stopId} day={day} shown={shown} stop={stop} /> : <NotFound />
          }}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/scan">
      {({ id }) => (
        <OfTour day={day} id={id}>
          {(shown) => (
            <Suspense>
              <ScanPage key={id} day={day} shown={shown} />
            </Suspense>
          )}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/incident">
      {({ id }) => (
        <OfTour day={day} id={id}>
          {(shown) => (
            <Suspense>
              <IncidentPage key={id} day={day} shown={shown} />
            </Suspense>
          )}
        </OfTour>
      )}
    </Route>
    <Route path="/tours/:id/help">
      {({ id }) => (
        <Suspense>
          <HelpPage day={day} shown={day.departures.find((one) => one.id === id)} />
        </Suspense>
      )}
    </Route>
    <Route path="/help">
      <Suspense>
        <HelpPage day={day} shown={undefined} />
      </Suspense>
    </Route>
    <Route>
      <NotFound />
    </Route>
  </Switch>
)
