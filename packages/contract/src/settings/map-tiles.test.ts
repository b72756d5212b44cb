import { expect, test } from 'vitest'
import { allowsHost, layersOf, namesHost, schemaOf } from './map-tiles.ts'

/** What a `URL` says of an address without a path. */
function at(origin: string) {
  const [, protocol = '', hostname = '', port = ''] = /^(\w+:)\/\/([^:]+):?(\d*)$/.exec(origin) ?? []
  return { protocol, hostname, port }
}

const allows = (host: string, origin: string): boolean => allowsHost([host], at(origin))

test('an allowed host is read as the Content-Security-Policy reads it', () => {
  expect(allows('https://tiles.example.com', 'https://tiles.example.com')).toBe(true)
  expect(allows('https://Tiles.Example.com', 'https://tiles.example.com')).toBe(true)
  expect(allows('https://tiles.example.com:443', 'https://tiles.example.com')).toBe(true)
  expect(allows('https://tiles.example.com:8443', 'https://tiles.example.com:8443')).toBe(true)
  expect(allows('https://tiles.example.com', 'https://tiles.example.com:8443')).toBe(false)
  expect(allows('https://tiles.example.com', 'http://tiles.example.com')).toBe(false)
  expect(allows('https://tiles.example.com', 'https://a.tiles.example.com')).toBe(false)
  expect(allows('https://*.example.com', 'https://a.b.example.com')).toBe(true)
  expect(allows('https://*.example.com', 'https://example.com')).toBe(false)
  expect(allows('https://*.example.com', 'https://badexample.com')).toBe(false)
  expect(allows('https://*', 'https://anything.example')).toBe(true)
  expect(allows('http://127.0.0.1:3000', 'http://127.0.0.1:3000')).toBe(true)
  expect(allowsHost([], at('https://tiles.example.com'))).toBe(false)
})

test('a host that only a pattern covers is not named', () => {
  const address = at('https://tiles.example.com')
  expect(namesHost(['https://*.example.com'], address)).toBe(false)
  expect(namesHost(['https://*.example.com', 'https://tiles.example.com'], address)).toBe(true)
})

test('the schema of a file is known by its layers', () => {
  const layers = (ids: string[]) => layersOf({ vector_layers: ids.map((id) => ({ id })) })
  expect(schemaOf(layers(['earth', 'places', 'roads', 'water']))).toBe('protomaps')
  expect(schemaOf(layers(['water', 'transportation', 'place']))).toBe('openmaptiles')
  expect(schemaOf(layers(['ocean', 'streets']))).toBe('shortbread')
  expect(schemaOf(layers(['water']))).toBeNull()
  expect(layersOf({ name: 'no layers' })).toEqual([])
  expect(layersOf(null)).toEqual([])
})
