import type { MapDeparture } from '@tour-ops/contract/map/map'
import { History } from 'lucide-react'
import { useRef, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { loadLater } from '../../../ui/load-later.tsx'
import type { MapContent, MapPeople } from '../operations-map.ts'

const EarlierBar = loadLater(async () => (await import('./earlier-bar.tsx')).EarlierBar)

/** What the map shows instead of now. */
export interface Replayed {
  readonly content: MapContent
  readonly people: MapPeople
}

export interface EarlierProps {
  departures: readonly MapDeparture[]
  selected: MapDeparture | undefined
  routes: MapContent['routes']
  /** Words that the list is searched for. */
  q: string
  /** Of the office: whose day it is. */
  zone: string
  now: number
  /** Undefined for now. */
  onShow: (replayed: Replayed | undefined) => void
}

/** The way to the day so far, at the bottom of the map: a button, and the bar that it opens. */
export function Earlier(props: EarlierProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  if (isOpen)
    return (
      <EarlierBar
        {...props}
        onNow={() => {
          wasOpen.current = true
          setOpen(false)
        }}
      />
    )
  return (
    <Button
      className="absolute start-3 bottom-[calc(46%+0.75rem)] shadow-float lg:start-[412px] lg:bottom-4"
      icon={History}
      onPointerEnter={EarlierBar.preload}
      onFocus={EarlierBar.preload}
      onClick={() => setOpen(true)}
      ref={(element) => {
        button.current = element
        // the keyboard continues where it was
        if (element && wasOpen.current) element.focus({ preventScroll: true })
        wasOpen.current = false
      }}
    >
      {m.map_earlier()}
    </Button>
  )
}
