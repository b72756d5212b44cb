/** Latitude and longitude as people read them out to rescue services, in degrees to a meter: `64.14060, -21.91270`. */
export const formatPosition = ({ lat, lng }: { readonly lat: number; readonly lng: number }): string =>
  `${lat.toFixed(5)}, ${lng.toFixed(5)}`
