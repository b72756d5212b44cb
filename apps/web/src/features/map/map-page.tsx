import { useQuery } from '@tanstack/react-query'
import { type MapDeparture, mapRoutes, mapToday } from '@tour-ops/contract/map/map'
import { drivenWays } from '@tour-ops/contract/tracking/driven'
import { isRunning } from '@tour-ops/contract/state-machines'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useNow } from '../../ui/clock.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { useAccess } from '../../identity/access.ts'
import { useOpenIncident } from '../../records/use-open-incident.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useAfter } from '../../ui/use-after.ts'
import { useSeenSubjects, useWatchedOrganization } from '../tracking/index.ts'
import { basesOf, openedOn } from './bases.ts'
import { DayPanel } from './day-panel.tsx'
import type { MapTarget } from './map-canvas.tsx'
import type { PlacePress } from './area/area-fields.tsx'
import type { MapAddition } from './basemap/layered-map.ts'
import { MapButtons } from './map-buttons.tsx'
import type { Replayed } from './earlier/earlier.tsx'
import { hiddenIn, hiddenText } from './map-layers.ts'
import { marksOf } from './marks.ts'
import { boundsOf } from './basemap/geometry.ts'
import { useLateLimits } from '../../app/late-limits.ts'
import { watchedOf } from './watched-subjects.ts'
import { useFirstLook, usePadding } from './use-map-view.ts'

// Asked for as soon as this page's code is, which the router fetches when somebody points at the link.
const canvas = import('./map-canvas.tsx')
const MapCanvas = lazy(async () => ({ default: (await canvas).MapCanvas }))

const DeparturePanel = loadLater(
  async () => (await import('./departure-panel.tsx')).DeparturePanel,
  <SkeletonRows rows={6} />,
)
const AreaPanel = loadLater(async () => (await import('./area/area-panel.tsx')).AreaPanel, <SkeletonRows rows={6} />)
const NoGoPanel = loadLater(async () => (await import('./no-go/no-go-panel.tsx')).NoGoPanel, <SkeletonRows rows={4} />)
const FenceMarks = loadLater(async () => (await import('./no-go/fence-marks.tsx')).FenceMarks)
const MapMenus = loadLater(async () => (await import('./map-menus.tsx')).MapMenus)
const IncidentMarks = loadLater(async () => (await import('./open-incidents.tsx')).IncidentMarks)
const Earlier = loadLater(async () => (await import('./earlier/earlier.tsx')).Earlier)
const FollowBar = loadLater(async () => (await import('./on-duty.tsx')).FollowBar)

/** Ages and the lists by time are checked again this often. */
const clockMs = 30_000
/** Incidents and menus come after the map, and not with it. */
const laterMs = 1_500
/** Of an area that is still to be drawn, in the address. */
const newArea = 'new'
/** The list of no-go areas, in the address. */
const noGoList = 'list'
/** The driven way is requested again this often: positions send no notification. */
const drivenMs = 10_000
/** The closest zoom of the offline basemap; `basemap.ts` has the same, and is loaded with the map only. */
const planZoom = 10

/** "Where is everyone, and who needs me?" See docs/screens.md, "Live map". */
export function MapPage() {
  const now = useNow(clockMs)
  const { can } = useAccess()
  const { data } = useScreenQuery(callQuery(mapToday, {}))
  const [{ show, q = '', base, follow, hide, area: asked, noGo }, setUrl] = useUrlState('/_dashboard/dashboard/map')
  const seesEveryone = useWatchedOrganization() !== undefined
  const area = seesEveryone ? asked : undefined
  const [place, setPlace] = useState<string>()
  const [target, setTarget] = useState<MapTarget>()
  const [zoom, setZoom] = useState(0)
  const [leftId, setLeftId] = useState<string>()
  const [fences, setFences] = useState<MapAddition>()
  const [incidents, setIncidents] = useState<MapAddition>()
  const [drawn, setDrawn] = useState<MapAddition>()
  const [replayed, setReplayed] = useState<Replayed>()
  const isNow = !replayed
  const additions = useMemo(
    () => ({ fences, incidents: isNow ? incidents : undefined, area: drawn }),
    [fences, incidents, drawn, isNow],
  )
  const pressPlace = useRef<PlacePress>(null)
  const areaButton = useRef<HTMLButtonElement>(null)
  const noGoButton = useRef<HTMLButtonElement>(null)
  const openIncident = useOpenIncident()
  const [isMapThere, setMapThere] = useState(false)
  const isLater = useAfter(isMapThere, laterMs)
  const seesIncidents = isLater && can('monitoring:read')
  const [isSheetFull, setSheetFull] = useState(false)
  const departures = useMemo(() => data?.departures ?? [], [data])
  const selected = departures.find((departure) => departure.id === show)
  const routes = useQuery({ ...callQuery(mapRoutes, { departureId: show ?? '' }), enabled: selected !== undefined })
  const hidden = useMemo(() => hiddenIn(hide), [hide])
  const driven = useQuery({
    ...callQuery(drivenWays, { departureId: show ?? '' }),
    enabled: selected !== undefined && isRunning(selected) && can('departures:dispatch'),
    refetchInterval: drivenMs,
  }).data?.ways
  const limits = useLateLimits()
  const marks = useMemo(() => marksOf(departures, now, limits), [departures, now, limits])
  const everyone = useSeenSubjects()
  const { people: seenPeople, state: seenState } = everyone
  const people = useMemo(() => watchedOf(seenPeople, departures), [seenPeople, departures])
  const shown = replayed?.people ?? { people, now }
  const followed = shown.people.find(({ subjectId }) => subjectId === follow)
  const bases = useMemo(() => basesOf(departures), [departures])
  const content = useMemo(
    () => ({
      // One that is selected is shown alone: the others would hide its way.
      marks: hidden.has('departures') ? [] : selected ? marksOf([selected], now, limits) : marks,
      selected,
      routes: routes.data?.routes ?? [],
      driven: selected && driven && !hidden.has('driven') ? driven : [],
    }),
    [marks, selected, now, limits, routes.data, driven, hidden],
  )
  const seen = useMemo(
    () => ({ people: hidden.has('people') ? [] : shown.people, now: shown.now }),
    [shown.people, shown.now, hidden],
  )
  const padding = usePadding(isSheetFull)

  const fit = (shown: readonly MapDeparture[]) => {
    const bounds = boundsOf(shown.flatMap((departure) => departure.stops))
    if (bounds) setTarget({ kind: 'fit', bounds })
  }
  const select = (id: string | undefined) => {
    setUrl({ show: id, follow: undefined }, { push: true })
    const departure = departures.find((one) => one.id === id)
    if (departure) fit([departure])
  }
  // A followed person stays in the middle: a map that is still loading must go neither to the whole of their departure nor to that of the day.
  const followOne = (id: string) => {
    const on = people.find(({ subjectId }) => subjectId === id)?.departureId
    const theirs = departures.find((departure) => departure.id === on)?.id
    setTarget(undefined)
    setUrl({ follow: id, ...(theirs && { show: theirs }) }, { push: true })
  }
  const isAreaOpen = area !== undefined
  const pressMark = (key: string) => {
    const mark = marks.find((one) => one.key === key)
    if (!mark) return
    const [first, ...others] = mark.departureIds
    if (others.length === 0) return select(first)
    setPlace(key)
    setUrl({ show: undefined }, { push: true })
    setTarget({ kind: 'place', position: mark.position })
  }
  // Whether the address has an area is known to its panel, and whether somebody to follow is there once positions have come.
  const isAreaDue = area !== undefined && area !== newArea
  const isFollowDue = follow !== undefined && seenState === 'loading'
  const setLooked = useFirstLook(data !== undefined && !isAreaDue && !isFollowDue, () => {
    // The view that the office has chosen is for days on which nothing runs.
    if (!followed) fit(openedOn(departures, selected, base))
  })
  const look = (to: MapTarget) => {
    setLooked()
    setTarget(to)
  }
  const shownPlace = marks.find((mark) => mark.key === place)
  return (
    <div className="group relative h-[calc(100dvh-var(--top))] overflow-hidden bg-[var(--sea)]">
      <div className="absolute inset-0">
        {data && (
          <Suspense>
            <MapCanvas
              content={replayed?.content ?? content}
              people={seen}
              target={target}
              view={data.view}
              padding={padding}
              onMark={pressMark}
              followed={followed}
              // only while a panel takes what is pressed
              isDrawing={drawn !== undefined}
              additions={additions}
              onPerson={followOne}
              onIncident={openIncident}
              onPlace={(position) => pressPlace.current?.(position)}
              onMoved={() => follow !== undefined && setUrl({ follow: undefined })}
              onZoom={setZoom}
              onReady={() => setMapThere(true)}
            />
          </Suspense>
        )}
      </div>
      <MapButtons
        onTarget={setTarget}
        isAreaOpen={isAreaOpen}
        onArea={
          seesEveryone
            ? () =>
                setUrl({ area: isAreaOpen ? undefined : newArea, noGo: undefined, follow: undefined }, { push: true })
            : undefined
        }
        areaRef={areaButton}
        onAll={() => {
          setUrl({ base: undefined, follow: undefined })
          fit(departures)
        }}
      >
        {isLater && (
          <MapMenus
            bases={bases}
            hidden={hidden}
            isTaken={isAreaOpen || noGo !== undefined}
            onMeasure={() => setUrl({ area: undefined, noGo: undefined })}
            onDraw={setDrawn}
            onPress={pressPlace}
            isNoGoOpen={noGo !== undefined}
            noGoRef={noGoButton}
            onNoGo={() =>
              setUrl(
                { noGo: noGo === undefined ? noGoList : undefined, area: undefined, follow: undefined },
                { push: true },
              )
            }
            onLayer={(layer) => setUrl({ hide: hiddenText(hidden, layer) })}
            onBase={({ zone, departures: there }) => {
              setUrl({ base: zone, show: undefined, follow: undefined }, { push: true })
              fit(there)
            }}
          />
        )}
      </MapButtons>
      {isLater && <FenceMarks departures={departures} hidden={hidden} changedId={noGo} onDraw={setFences} />}
      {seesIncidents && <IncidentMarks isHidden={hidden.has('incidents')} onDraw={setIncidents} />}
      {replayed && <div className="pointer-events-none absolute inset-0 border-4 border-still" />}
      {isLater && data && !isAreaOpen && noGo === undefined && can('tracking:history') && (
        <Earlier
          {...{ departures, selected, q, now }}
          routes={content.routes}
          zone={data.timeZone}
          onShow={setReplayed}
        />
      )}
      {followed && <FollowBar person={followed} now={shown.now} onStop={() => setUrl({ follow: undefined })} />}
      <section
        aria-label={m.map_panel()}
        className={classNames(
          'absolute inset-x-0 bottom-0 flex flex-col overflow-hidden rounded-t-xl border border-line bg-surface shadow-float',
          'lg:inset-x-auto lg:start-4 lg:top-4 lg:bottom-4 lg:h-auto lg:w-[380px] lg:rounded-xl',
          isSheetFull ? 'h-[88%]' : 'h-[46%]',
        )}
      >
        <SheetHandle isFull={isSheetFull} onToggle={() => setSheetFull(!isSheetFull)} />
        {area !== undefined ? (
          <AreaPanel
            text={area}
            onText={(text = newArea) => setUrl({ area: text })}
            onDraw={setDrawn}
            onTarget={look}
            onPress={pressPlace}
            seen={everyone}
            departures={data?.departures}
            now={now}
            zone={data?.timeZone}
            onClose={() => {
              setUrl({ area: undefined })
              areaButton.current?.focus()
            }}
          />
        ) : noGo !== undefined ? (
          <NoGoPanel
            shown={noGo}
            onShow={(next = noGoList) => setUrl({ noGo: next })}
            onDraw={setDrawn}
            onTarget={look}
            onPress={pressPlace}
            onClose={() => {
              setUrl({ noGo: undefined })
              noGoButton.current?.focus()
            }}
          />
        ) : selected ? (
          <DeparturePanel
            departure={selected}
            now={now}
            officeZone={data?.timeZone}
            onBack={() => {
              setLeftId(selected.id)
              select(undefined)
            }}
            onStop={(stop) => setTarget({ kind: 'place', position: [stop.lng, stop.lat] })}
          />
        ) : (
          <DayPanel
            departures={data?.departures}
            people={shown.people}
            seenAt={shown.now}
            followedId={follow}
            onFollow={followOne}
            now={now}
            q={q}
            onQ={(next) => setUrl({ q: next })}
            place={shownPlace}
            zone={seesEveryone && isNow ? data?.timeZone : undefined}
            isNobodySeen={isLater && seenState === 'ready' && people.length === 0}
            seesIncidents={seesIncidents && !hidden.has('incidents')}
            onIncident={({ id, lng, lat }) => {
              setTarget({ kind: 'place', position: [lng, lat] })
              openIncident(id)
            }}
            onAnywhere={() => setPlace(undefined)}
            focusId={leftId}
            onSelect={select}
          />
        )}
      </section>
      <p className="pointer-events-none absolute group-has-data-own-tiles:hidden end-2 bottom-2 rounded-full bg-surface/80 px-2.5 text-2xs text-ink-2 max-lg:top-2 max-lg:bottom-auto max-lg:start-2 max-lg:end-auto">
        {zoom >= planZoom && <span>{m.map_plan_view()} · </span>}Natural Earth · GeoNames
      </p>
    </div>
  )
}

function SheetHandle({ isFull, onToggle }: { isFull: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className="grid h-6 w-full shrink-0 place-items-center lg:hidden"
      aria-expanded={isFull}
      aria-label={isFull ? m.map_sheet_less() : m.map_sheet_more()}
      onClick={onToggle}
    >
      <span className="h-1 w-10 rounded-full bg-ctl" aria-hidden />
    </button>
  )
}
