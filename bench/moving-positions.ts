import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { DocumentSnapshot } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { positionTable } from '@tour-ops/contract/live/position-table'

/** A live stream on which everybody moves once a second, in the place of a server: far more than phones of one machine can send. */
export interface MovingPositions {
  /** Of a page that draws the same stream by hand; `/api/live/listen` is next to it. */
  readonly address: string
  close(): Promise<void>
}

const everyMs = 1_000
/** Each has this room in degrees, in a square over Europe. */
const spacing = 0.2
/** A second at 90 km/h, degrees. */
const step = 0.000_25

/** @param subjectIds Of those who move. */
export async function movePositions(orgId: string, subjectIds: readonly string[]): Promise<MovingPositions> {
  const open = new Set<http.ServerResponse>()
  const perRow = Math.ceil(Math.sqrt(subjectIds.length))
  let moves = 0
  const documentsNow = (): DocumentSnapshot[] => {
    const now = new Date().toISOString()
    return subjectIds.map((subjectId, index) => {
      const data = {
        subjectKind: 'staff',
        subjectId,
        departureId: null,
        recordedAt: now,
        receivedAt: now,
        lat: 40 + Math.floor(index / perRow) * spacing,
        lng: -5 + (index % perRow) * spacing + moves * step,
        accuracyM: 5,
        speedMps: 25,
        headingDeg: 90,
        altitudeM: 12,
        batteryPct: 80,
        isMoving: true,
      }
      return { path: livePath.position(orgId, subjectId), data, createTime: now, updateTime: now }
    })
  }
  const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  const framesNow = () => frame('positions', positionTable(livePath.positions(orgId), documentsNow()))
  const targets = [livePath.positions(orgId)]
  const server = http.createServer((request, response) => {
    request.resume()
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    if (file) {
      response.writeHead(200, { 'content-type': file.type })
      response.end(file.content())
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(frame('hello', { fresh: targets }) + framesNow() + frame('current', { targets }))
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  const timer = setInterval(() => {
    moves += 1
    const frames = open.size > 0 ? framesNow() : ''
    for (const response of open) response.write(frames)
  }, everyMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const library = path.resolve(import.meta.dirname, '../node_modules/maplibre-gl/dist')
const script = (name: string) => ({ type: 'text/javascript', content: () => fs.readFileSync(path.join(library, name)) })

/** What somebody writes by hand with the same library: an element for each, moved when its position comes. */
const byHand = `<!doctype html>
<link rel="stylesheet" href="/maplibre-gl.css">
<style>
  html, body, #map { height: 100%; margin: 0 }
  .mark { width: 14px; height: 14px; border: 2px solid white; border-radius: 50%; background: #2457c5 }
  /* ten thousand surfaces of the graphics card are no frame at all where it is imitated */
  .maplibregl-marker { will-change: auto !important }
</style>
<div id="map"></div>
<script type="module">
  import { Map as DrawnMap, Marker } from '/maplibre-gl.mjs'
  const map = new DrawnMap({ container: 'map', style: { version: 8, sources: {}, layers: [] }, center: [5, 50], zoom: 4 })
  const marks = new Map()
  const response = await fetch('/api/live/listen', { method: 'POST' })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const blocks = (rest + value).split('\\n\\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const [event, data] = block.split('\\n')
      if (event !== 'event: positions') continue
      const { columns: { subjectId, lng, lat } } = JSON.parse(data.slice(6))
      subjectId.forEach((id, row) => {
        const known = marks.get(id)
        if (known) return known.setLngLat([lng[row], lat[row]])
        const element = document.createElement('div')
        element.className = 'mark'
        marks.set(id, new Marker({ element }).setLngLat([lng[row], lat[row]]).addTo(map))
      })
    }
  }
</script>`

const files: Readonly<Record<string, { readonly type: string; content(): string | Buffer } | undefined>> = {
  '/': { type: 'text/html', content: () => byHand },
  '/maplibre-gl.css': {
    type: 'text/css',
    content: () => fs.readFileSync(path.join(library, 'maplibre-gl.css')),
  },
  '/maplibre-gl.mjs': script('maplibre-gl.mjs'),
  '/maplibre-gl-shared.mjs': script('maplibre-gl-shared.mjs'),
  '/maplibre-gl-worker.mjs': script('maplibre-gl-worker.mjs'),
}
