// Draws one scene: lights in a fragment shader, things as flat paths in two masks (lit = gives light, occ = stops light).
const FS = `#version 300 es
precision highp float; out vec4 O; uniform vec2 R; uniform sampler2D lit, occ;
uniform int nb, ng; uniform vec4 bA[20], bB[20], gA[24], gB[24];
uniform float horizon, haze, seed, refl, expo, grain, vig, foot, floorTex, shX, shY, shI;
uniform vec3 c1,c2,c3,w1,w2,w3;
float h1(vec2 p){p=fract(p*vec2(123.34,456.21)+seed);p+=dot(p,p+45.32);return fract(p.x*p.y);}
float n2(vec2 p){vec2 i=floor(p),f=fract(p);f=f*f*(3.-2.*f);return mix(mix(h1(i),h1(i+vec2(1,0)),f.x),mix(h1(i+vec2(0,1)),h1(i+1.),f.x),f.y);}
float fbm(vec2 p){float a=.5,s=0.;for(int i=0;i<5;i++){s+=a*n2(p);p=mat2(1.6,1.2,-1.2,1.6)*p;a*=.5;}return s;}
vec3 ramp(float t,vec3 a,vec3 b,vec3 c){t=clamp(t,0.,1.);vec3 r=mix(vec3(0),a,smoothstep(0.,.34,t));r=mix(r,b,smoothstep(.2,.68,t));return mix(r,c,smoothstep(.6,1.,t));}
void main(){ vec2 p=vec2(gl_FragCoord.x,R.y-gl_FragCoord.y)/R.y; float asp=R.x/R.y; vec2 t=vec2(p.x/asp,p.y);
 vec2 q=p*vec2(2.2,3.1); float w=fbm(q+seed); float hz=fbm(q*1.3+vec2(w*2.2,w*1.4)+seed*3.); float hf=mix(1.,.25+hz*1.5,haze);
 float L=.004,W=0.; float air=0.,airW=0.;
 for(int i=0;i<20;i++){ if(i>=nb)break; vec4 a=bA[i],b=bB[i]; vec2 d=a.zw-a.xy; float len=length(d); d/=len; vec2 v=p-a.xy; float al=dot(v,d); float pe=v.x*d.y-v.y*d.x;
  float k=clamp(al/len,0.,1.6); float ww=mix(b.x,b.y,k); float e=abs(pe)/ww; float I=exp(-e*e*1.6)*.55+exp(-pow(e,6.))*.45; I*=.8+.4*n2(vec2(pe/ww*5.+float(i)*7.,al*.7));
  I*=smoothstep(-.01,.03,al)*(1.-smoothstep(len*.97,len*1.08,al))/(.35+1.5*k); I*=abs(b.z)*hf; if(b.w>.5)airW+=I; else air+=I; }
 L+=air;W+=airW;
 for(int i=0;i<24;i++){ if(i>=ng)break; vec4 a=gA[i],b=gB[i]; vec2 v=(p-a.xy)/a.zw; float r=dot(v,v); float I=b.z>5.?exp(-pow(r,3.)):(b.z>1.5?1./(1.+r*6.+r*r*4.):exp(-r*1.4)); I*=b.x*mix(1.,hf,.55); if(b.y>.5)W+=I; else L+=I; }
 vec2 lt=texture(lit,t).rg; vec2 bl=textureLod(lit,t,3.5).rg+textureLod(lit,t,5.5).rg*1.3+textureLod(lit,t,7.).rg*1.2; L+=lt.r*1.6+bl.r*.28; W+=lt.g*1.6+bl.g*.28;
 if(p.y>horizon){ float dep=(p.y-horizon)/(1.-horizon+.001);
  float pl=fbm(vec2((p.x-asp*.5)/(.08+dep)*2.5,1./(.03+dep)*1.2)); float fl=mix(1.,.55+.9*pl,floorTex); L*=fl;W*=fl;
  vec2 m=vec2(t.x,2.*foot-t.y); float o=0.; vec2 g=vec2(0); for(int i=0;i<5;i++){ vec2 j=vec2(float(i)-2.,0.)*.0016*(1.+dep*3.)+vec2((pl-.5)*.006,0); o+=texture(occ,m+j).r*.2; g+=textureLod(lit,m+j*2.,2.+dep*2.).rg*.2; }
  L+=g.r*refl*1.3*(1.-dep*.7); W+=g.g*refl*1.3*(1.-dep*.7); float ro=o*refl*(1.-dep)*step(foot,p.y); L*=1.-ro*.75; W*=1.-ro*.75;
  if(shI>0.&&p.y>foot){ float dy=(p.y-foot); float s=0.; for(int i=0;i<7;i++){ float jj=(float(i)-3.)*(.002+dy*.022); vec2 sp=vec2((p.x-shX)/(1.+dy*shY*.55)+shX+jj,foot-dy/shY); s+=texture(occ,vec2(sp.x/asp,sp.y)).r/7.; } s*=shI*exp(-dy*1.1); L*=1.-s; W*=1.-s; } }
 float oc=texture(occ,t).r, ob=textureLod(occ,t,3.).r, oc2=texture(occ,t).g; 
 float rim=oc*pow(1.-ob,1.4)*1.1; float keep=1.-oc; 
 L=L*keep+L*rim*.55+oc*(L*.018+.002); W=W*keep+W*rim*.55+oc*W*.018; L+=oc2*.5; W+=texture(occ,t).b*.5;
 float du=step(.9987,h1(floor(p*R.y/3.)))*h1(floor(p*R.y/3.)+9.)*(air+airW)*1.2; L+=du*.6;
 vec2 vv=(t-.5)*vec2(1.05,1.); float vg=1.-vig*dot(vv,vv)*1.9; L*=vg;W*=vg;
 float tl=1.-exp(-L*expo), tw=1.-exp(-W*expo); vec3 A=ramp(tl,c1,c2,c3),B=ramp(tw,w1,w2,w3); vec3 C=1.-(1.-A)*(1.-B);
 float lum=dot(C,vec3(.3,.6,.1)); vec2 gp=gl_FragCoord.xy/1.4; float gr=(n2(gp)+n2(gp*1.9+7.)+h1(gl_FragCoord.xy))-1.5; C+=gr*grain*(.35+1.2*sqrt(max(lum,0.))*(1.-lum*.6));
 O=vec4(pow(max(C,0.),vec3(.98)),1.); }`;
const VS = `#version 300 es
in vec2 a;void main(){gl_Position=vec4(a,0,1);}`;
const PAL = {
  c1: [0.012, 0.075, 0.16],
  c2: [0.05, 0.42, 0.68],
  c3: [0.86, 0.97, 1],
  w1: [0.2, 0.055, 0.012],
  w2: [0.86, 0.42, 0.13],
  w3: [1, 0.95, 0.84],
};
let gl, cv;
function init(W, H) {
  cv = document.createElement("canvas");
  cv.width = W;
  cv.height = H;
  gl = cv.getContext("webgl2", { preserveDrawingBuffer: true, antialias: false });
  const P = gl.createProgram();
  for (const [s, t] of [
    [VS, gl.VERTEX_SHADER],
    [FS, gl.FRAGMENT_SHADER],
  ]) {
    const o = gl.createShader(t);
    gl.shaderSource(o, s);
    gl.compileShader(o);
    if (!gl.getShaderParameter(o, gl.COMPILE_STATUS)) throw gl.getShaderInfoLog(o);
    gl.attachShader(P, o);
  }
  gl.linkProgram(P);
  gl.useProgram(P);
  const b = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, b);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  const l = gl.getAttribLocation(P, "a");
  gl.enableVertexAttribArray(l);
  gl.vertexAttribPointer(l, 2, gl.FLOAT, false, 0, 0);
  return P;
}
function mask(W, H, fn) {
  const c = document.createElement("canvas");
  c.width = W;
  c.height = H;
  const x = c.getContext("2d");
  x.fillStyle = "#000";
  x.fillRect(0, 0, W, H);
  x.scale(H, H);
  x.B = (r) => (x.filter = r ? `blur(${r * H}px)` : "none");
  x.lineCap = "round";
  x.lineJoin = "round";
  if (fn) fn(x, W / H);
  return c;
}
function render(s, W, H, pal = {}) {
  const P = init(W, H),
    u = (n) => gl.getUniformLocation(P, n);
  const A = W / H;
  const sc = s(A);
  [
    ["lit", sc.lit],
    ["occ", sc.occ],
  ].forEach(([n, f], i) => {
    const c = mask(W, H, f);
    gl.activeTexture(gl.TEXTURE0 + i);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, c);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.uniform1i(u(n), i);
  });
  gl.uniform2f(u("R"), W, H);
  const d = {
    horizon: 2,
    haze: 0.8,
    seed: 3.1,
    refl: 0.35,
    expo: 1.5,
    grain: 0.05,
    vig: 0.5,
    foot: 2,
    floorTex: 0.5,
    shX: 0,
    shY: 2,
    shI: 0,
    ...sc,
  };
  for (const k of [
    "horizon",
    "haze",
    "seed",
    "refl",
    "expo",
    "grain",
    "vig",
    "foot",
    "floorTex",
    "shX",
    "shY",
    "shI",
  ])
    gl.uniform1f(u(k), d[k]);
  const b = sc.beams || [],
    g = sc.glows || [];
  gl.uniform1i(u("nb"), b.length);
  gl.uniform1i(u("ng"), g.length);
  b.forEach((x, i) => {
    gl.uniform4f(u(`bA[${i}]`), ...x.slice(0, 4));
    gl.uniform4f(u(`bB[${i}]`), x[4], x[5], x[6], x[7] || 0);
  });
  g.forEach((x, i) => {
    gl.uniform4f(u(`gA[${i}]`), ...x.slice(0, 4));
    gl.uniform4f(u(`gB[${i}]`), x[4], x[5] || 0, x[6] || 0, 0);
  });
  const pl = { ...PAL, ...pal };
  for (const k in pl) gl.uniform3f(u(k), ...pl[k]);
  gl.viewport(0, 0, W, H);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  return cv.toDataURL("image/webp", 0.84);
}
// things
const red = "#f00";
function figure(x, cx, fy, h, o = {}) {
  // seen from behind, long coat, small in the room
  x.save();
  x.translate(cx, fy);
  x.scale(h * (o.flip ? -1 : 1), h);
  x.fillStyle = o.c || red;
  x.strokeStyle = o.c || red;
  x.beginPath();
  x.ellipse(0.004, -0.925, 0.047, 0.062, 0, 0, 7);
  x.fill();
  x.beginPath();
  x.moveTo(-0.028, -0.9);
  x.lineTo(-0.03, -0.845);
  x.bezierCurveTo(-0.07, -0.825, -0.125, -0.82, -0.142, -0.775);
  x.bezierCurveTo(-0.155, -0.69, -0.15, -0.62, -0.165, -0.5);
  x.bezierCurveTo(-0.168, -0.47, -0.15, -0.43, -0.135, -0.44);
  x.bezierCurveTo(-0.122, -0.5, -0.115, -0.6, -0.105, -0.64);
  x.bezierCurveTo(-0.1, -0.55, -0.112, -0.45, -0.125, -0.3);
  x.lineTo(-0.135, -0.27);
  x.lineTo(0.13, -0.265);
  x.bezierCurveTo(0.122, -0.42, 0.1, -0.55, 0.1, -0.64);
  if (o.arm) {
    x.lineTo(0.135, -0.7);
    x.lineTo(0.2, -0.735);
    x.lineTo(0.175, -0.86);
    x.lineTo(0.145, -0.87);
    x.lineTo(0.16, -0.755);
  } else {
    x.bezierCurveTo(0.112, -0.58, 0.12, -0.5, 0.135, -0.44);
    x.bezierCurveTo(0.15, -0.43, 0.166, -0.47, 0.162, -0.5);
    x.bezierCurveTo(0.152, -0.6, 0.152, -0.69, 0.142, -0.775);
  }
  x.bezierCurveTo(0.125, -0.82, 0.07, -0.825, 0.034, -0.845);
  x.lineTo(0.032, -0.9);
  x.fill();
  x.beginPath();
  x.moveTo(-0.1, -0.3);
  x.lineTo(-0.082, -0.03);
  x.lineTo(-0.105, 0);
  x.lineTo(-0.03, 0);
  x.lineTo(-0.035, -0.04);
  x.lineTo(-0.012, -0.3);
  x.fill();
  x.beginPath();
  x.moveTo(0.098, -0.3);
  x.lineTo(0.088, -0.03);
  x.lineTo(0.112, 0.004);
  x.lineTo(0.036, 0.004);
  x.lineTo(0.036, -0.04);
  x.lineTo(0.012, -0.3);
  x.fill();
  x.restore();
}
function micStand(x, cx, fy, h) {
  x.strokeStyle = red;
  x.fillStyle = red;
  x.lineWidth = h * 0.012;
  x.beginPath();
  x.moveTo(cx, fy);
  x.lineTo(cx, fy - h * 0.86);
  x.stroke();
  x.beginPath();
  x.ellipse(cx, fy, h * 0.09, h * 0.014, 0, 0, 7);
  x.fill();
  x.save();
  x.translate(cx, fy - h * 0.9);
  x.rotate(-0.35);
  x.beginPath();
  x.ellipse(0, -0.02 * h, h * 0.022, h * 0.03, 0, 0, 7);
  x.fill();
  x.fillRect(-h * 0.012, 0, h * 0.024, h * 0.06);
  x.restore();
}
function crowd(x, A, y, s, seed, hands) {
  let r = seed;
  const rnd = () => (r = (r * 16807) % 2147483647) / 2147483647;
  x.fillStyle = red;
  x.strokeStyle = red;
  for (let i = -1; i < (A / s) * 1.25; i++) {
    const cx = i * s * 0.85 + rnd() * s * 0.4,
      cy = y + rnd() * s * 0.5,
      k = s * (0.85 + rnd() * 0.3);
    x.beginPath();
    x.ellipse(cx, cy, k * 0.24, k * 0.31, 0, 0, 7);
    x.fill();
    x.beginPath();
    x.moveTo(cx - k * 0.62, cy + k * 2);
    x.bezierCurveTo(cx - k * 0.6, cy + k * 0.45, cx - k * 0.3, cy + k * 0.42, cx, cy + k * 0.2);
    x.bezierCurveTo(
      cx + k * 0.3,
      cy + k * 0.42,
      cx + k * 0.6,
      cy + k * 0.45,
      cx + k * 0.62,
      cy + k * 2,
    );
    x.fill();
    if (hands && rnd() < hands) {
      const sd = rnd() < 0.5 ? -1 : 1,
        hx = cx + sd * k * (0.45 + rnd() * 0.35),
        hy = cy - k * (0.7 + rnd() * 0.8);
      x.lineWidth = k * 0.17;
      x.beginPath();
      x.moveTo(cx + sd * k * 0.5, cy + k * 0.7);
      x.quadraticCurveTo(cx + sd * k * 0.75, cy + k * 0.1, hx, hy);
      x.stroke();
      x.beginPath();
      x.ellipse(hx, hy - k * 0.07, k * 0.12, k * 0.15, 0, 0, 7);
      x.fill();
      x.lineWidth = k * 0.05;
      for (let f = -2; f < 3; f++) {
        x.beginPath();
        x.moveTo(hx + f * k * 0.04, hy - k * 0.1);
        x.lineTo(hx + f * k * 0.075, hy - k * (0.34 - Math.abs(f) * 0.035));
        x.stroke();
      }
    }
  }
}
