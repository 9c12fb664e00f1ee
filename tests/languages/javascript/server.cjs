'use strict';
const path = require('path');
const { fmt, parse: read } = require('./money');
const first = require('./list').first;
const Page = lazy(() => import('./Page'));
require('./polyfill');

var app = exports = module.exports = {};  // DEFINES variable app 8-8
var settings = {}, cache = new Map(); // DEFINES variable settings 9-9  DEFINES variable cache 9-9  REFERS new Map

/* Starts it. */
app.listen = function listen(port) {  // DEFINES method app.listen 11-16
  const http = require('http');
  const server = http.createServer(this); // REFERS call http.createServer
  return server.listen(read(port), first); // REFERS call server.listen  REFERS call read  REFERS pass first
};

exports.View = class View {  // DEFINES class View 18-20
  render() { return fmt(path.join('a')); } // DEFINES method View.render 19-19  REFERS call fmt  REFERS call path.join
};
exports.LIMIT = 5;  // DEFINES constant LIMIT 21-21
exports.start = async () => app.listen(1); // DEFINES function start 22-22  REFERS call app.listen
exports.read = read;
module.exports.stop = function () {};  // DEFINES function stop 24-24
module.exports.money = require('./money');
exports.tax = require('./tax');

app.router.param = (name) => name;  // DEFINES method app.router.param 28-28
global.shout = function (text) { return text; };  // DEFINES function shout 29-29

module.exports = {
  fmt,
  reader: read,
  get() { return settings; }, // DEFINES function get 34-34  REFERS read settings
  post: function () { return cache; }, // DEFINES function post 35-35  REFERS read cache
  ...require('./more'),
};

jQuery.extend({ // REFERS call jQuery.extend
  ajax: function (url) { return url; },  // DEFINES method jQuery.ajax 40-40
});

const store = createStore({ // DEFINES constant store 43-47  REFERS call createStore
  state: { count: 0 },
  reset() { this.state = 0; },  // DEFINES method store.reset 45-45
  mutate: (state) => { state.count++; },  // DEFINES method store.mutate 46-46
});

module.exports.default = app;
