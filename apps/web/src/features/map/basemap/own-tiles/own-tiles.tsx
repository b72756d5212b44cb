import { allowsHost, type MapTiles } from '@tour-ops/contract/settings/map-tiles'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { readPageConfig } from '../../../../backend/page-config.ts'
import { m } from '../../../../paraglide/messages.js'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { basemapStyle } from '../basemap.ts'
import type { OwnGroundProps } from '../own-ground.tsx'
import { type Credit, creditsOf } from './credits.ts'
import { loadGround } from './load-ground.ts'
import { watchTiles } from './watch-tiles.ts'

type Shown = { readonly kind: 'loading' | 'failed' } | { readonly kind: 'shown'; readonly credits: readonly Credit[] }

interface OwnTilesProps extends OwnGroundProps {
  tiles: MapTiles
}

/** The tiles of the organization below everything else, with the names of who made them; the offline basemap and a notice where they do not load. */
export function OwnTiles({ tiles, ...props }: OwnTilesProps) {
  const [attempt, setAttempt] = useState(0)
  const url = new URL(tiles.address)
  // The configuration has changed since the address was saved, and the policy of this page would refuse it.
  if (!allowsHost(readPageConfig().mapHosts, url))
    return <Notice isPage={props.isPage} text={m.map_own_closed_text({ host: url.host })} />
  return <LoadedTiles key={attempt} {...props} tiles={tiles} onAgain={() => setAttempt(attempt + 1)} />
}

function LoadedTiles({ map, tiles, isPage, onAgain }: OwnTilesProps & { onAgain: () => void }) {
  const [shown, setShown] = useState<Shown>({ kind: 'loading' })
  const { source, address } = tiles
  useEffect(() => {
    const over = new AbortController()
    let leave: (() => void) | undefined
    const fail = (error: unknown) => {
      if (over.signal.aborted) return
      console.info('The map of the organization does not load.', error)
      leave?.()
      setShown({ kind: 'failed' })
    }
    loadGround({ source, address }, over.signal).then((ground) => {
      // only now: the map is made in the same moment as this, and after it
      const layered = map.current?.layered
      if (over.signal.aborted || !layered) return
      const stop = watchTiles(layered.map, {
        onFailed: fail,
        onCredits: (texts) => setShown({ kind: 'shown', credits: creditsOf(texts) }),
      })
      leave = () => {
        stop()
        leave = undefined
        layered.setGround(basemapStyle)
      }
      layered.map.once('remove', () => (leave = undefined))
      layered.setGround(ground)
    }, fail)
    return () => {
      leave?.()
      over.abort()
    }
  }, [map, source, address])
  if (shown.kind === 'loading') return null
  if (shown.kind === 'shown') return <Credits credits={shown.credits} isPage={isPage} />
  return (
    <Notice isPage={isPage} text={m.map_own_failed_text({ host: new URL(address).host })}>
      <Button onClick={onAgain}>{m.map_own_again()}</Button>
    </Notice>
  )
}

interface NoticeProps {
  isPage: boolean | undefined
  text: string
  children?: ReactNode
}

/** Over the map, until it is closed. */
function Notice({ isPage, text, children }: NoticeProps) {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <div className={classNames('absolute start-4 end-16 top-4 max-w-lg', isPage && 'max-lg:top-12 lg:start-[412px]')}>
      <div className="rounded-xl bg-surface shadow-float">
        <Banner
          tone="warn"
          role="status"
          title={
            <span className="flex items-start justify-between gap-2">
              {m.map_own_failed()}
              <IconButton small label={m.map_own_close()} icon={X} onClick={() => setClosed(true)} />
            </span>
          }
          actions={children}
        >
          {text}
        </Banner>
      </div>
    </div>
  )
}

/** Licences of map data ask for the names, with a link where there is one. */
function Credits({ credits, isPage }: { credits: readonly Credit[]; isPage: boolean | undefined }) {
  return (
    <p
      data-own-tiles
      className={classNames(
        'absolute end-2 bottom-2 max-w-[80%] truncate rounded-full bg-surface/80 px-2.5 text-2xs text-ink-2 empty:hidden',
        isPage && 'max-lg:top-2 max-lg:bottom-auto max-lg:start-2 max-lg:end-auto',
      )}
    >
      {credits.map(({ text, href }, at) =>
        href === undefined ? (
          text
        ) : (
          <a key={at} className="hover:underline" href={href} target="_blank" rel="noreferrer">
            {text}
          </a>
        ),
      )}
    </p>
  )
}
