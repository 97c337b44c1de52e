const bulb = (x, cx, cy, r, c = "#0f0") => {
  x.fillStyle = c;
  x.beginPath();
  x.arc(cx, cy, r, 0, 7);
  x.fill();
};
const S = {
  hero: (A) => {
    const fx = A * (A > 1 ? 0.705 : 0.62),
      fy = A > 1 ? 0.8 : 0.615,
      h = A > 1 ? 0.235 : 0.17;
    return {
      horizon: fy - 0.045,
      foot: fy,
      haze: 0.85,
      seed: 2.3,
      expo: 1.6,
      refl: 0.5,
      vig: 0.55,
      shX: fx,
      shY: 2.2,
      shI: 0.7,
      beams: [
        [fx + 0.2, -0.16, fx, fy + 0.02, 0.03, h * 0.92, 1.25],
        [fx + 0.2, -0.16, fx - 0.01, fy + 0.02, 0.01, h * 0.4, 0.7],
        [A * 0.16, -0.2, A * 0.42, fy, 0.015, 0.12, 0.34],
        [A * 0.02, -0.2, A * 0.22, fy, 0.012, 0.1, 0.2],
        [A * 1.03, -0.1, A * 0.93, fy, 0.012, 0.1, 0.34],
        [fx - 0.25, -0.2, fx - 0.36, fy, 0.012, 0.09, 0.26],
      ],
      glows: [
        [fx, fy + 0.005, h * 1.25, 0.045, 1.9, 0, 0],
        [fx, fy - 0.12, 0.5, 0.34, 0.34],
        [fx, fy + 0.05, 0.85, 0.1, 0.34],
        [fx + 0.2, -0.06, 0.16, 0.1, 1.6, 0, 2],
        [A * 0.5, fy - 0.03, A * 0.7, 0.05, 0.05, 0],
      ],
      lit: (x) => {
        if (A > 1)
          for (let i = 0; i < 27; i++) {
            const bx = (A * (i + 0.5)) / 27;
            x.B(0);
            bulb(x, bx, fy + 0.115 + Math.pow((i - 13) / 13, 2) * 0.018, 0.0034);
          }
        x.B(0);
        bulb(x, fx + 0.2, -0.012, 0.012, "#f00");
      },
      occ: (x) => {
        x.B(0.0007);
        figure(x, fx, fy, h, { arm: false });
        micStand(x, fx + h * 0.2, fy + 0.006, h * 0.92);
        x.B(0.0025);
        x.fillStyle = red;
        for (const s of [-1, 1]) {
        }
        x.B(0);
        crowd(x, A, A > 1 ? 0.985 : 0.93, A > 1 ? 0.066 : 0.05, 77, 0.13);
        x.fillStyle = red;
        x.fillRect(0, A > 1 ? 1.03 : 0.99, A, 0.2);
      },
    };
  },
  coaching: (A) => {
    const fy = A > 1 ? 0.79 : 0.66,
      k = A > 1 ? 1 : 0.72,
      wx = A * (A > 1 ? 0.52 : 0.2),
      pw = 0.155 * k,
      ph = 0.2 * k,
      top = 0.1;
    const b = [];
    for (let i = 0; i < 4; i++)
      b.push([
        wx + (i * 1.16 + 0.5) * pw + 0.1,
        top + 0.1,
        wx + i * 1.16 * pw - 0.36 * k,
        fy + 0.1,
        0.06 * k,
        0.085 * k,
        0.62,
        0,
      ]);
    return {
      horizon: fy - 0.09,
      foot: fy,
      haze: 0.9,
      seed: 5.2,
      expo: 1.55,
      refl: 0.4,
      vig: 0.5,
      floorTex: 0.7,
      beams: b,
      glows: [
        [wx + 0.02 * k, fy + 0.06, 0.34 * k, 0.03, 0.8],
        [wx + 0.3 * k, 0.35, 0.75, 0.4, 0.2],
        [wx - 0.2 * k, fy + 0.13, 0.5, 0.035, 0.3, 1],
        [A * 0.95, fy - 0.02, 0.3, 0.2, 0.16, 1],
      ],
      lit: (x) => {
        x.B(0.002);
        for (let i = 0; i < 4; i++)
          for (let j = 0; j < 2; j++) {
            const g = x.createLinearGradient(0, top, 0, top + ph * 2.1);
            g.addColorStop(0, "#a00");
            g.addColorStop(1, "#500");
            x.fillStyle = g;
            x.fillRect(wx + i * pw * 1.16, top + j * ph * 1.06, pw, ph);
          }
      },
      occ: (x) => {
        x.B(0.0012);
        x.fillStyle = red;
        for (let i = 0; i < 4; i++) {
          x.fillRect(wx + i * pw * 1.16 + pw * 0.48, top, 0.006, ph * 2.1);
          for (let j = 0; j < 2; j++)
            x.fillRect(wx + i * pw * 1.16, top + j * ph * 1.06 + ph * 0.5, pw, 0.005);
        }
        x.B(0.0015);
        const bx = wx + 0.37 * k;
        x.strokeStyle = red;
        x.lineWidth = 0.004;
        for (const q of [-0.03, 0.03]) {
          x.beginPath();
          x.moveTo(bx, -0.02);
          x.lineTo(bx + q * k, 0.2);
          x.stroke();
        }
        x.beginPath();
        x.roundRect(bx - 0.042 * k, 0.195, 0.084 * k, 0.33 * k, 0.016);
        x.fill();
        const gx = wx + 0.12 * k;
        figure(x, gx, fy + 0.03, 0.235 * k);
        const kx = gx + 0.12 * k,
          ky = fy + 0.055;
        x.beginPath();
        x.arc(kx, ky - 0.03 * k, 0.027 * k, 0, 7);
        x.fill();
        x.lineWidth = 0.009 * k;
        x.strokeStyle = red;
        x.beginPath();
        x.arc(kx, ky - 0.06 * k, 0.018 * k, 0, 7);
        x.stroke();
      },
    };
  },
  mirror: (A) => {
    const l = A * 0.16,
      r = A * 0.84,
      t = 0.13,
      b = 0.7;
    return {
      horizon: 0.76,
      foot: 0.745,
      haze: 0.6,
      seed: 8.8,
      expo: 1.6,
      refl: 0.9,
      vig: 0.65,
      floorTex: 0.15,
      glows: [
        [A * 0.5, 0.42, 0.3, 0.34, 0.3, 1],
        [A * 0.5, 0.78, 0.5, 0.05, 0.35, 1],
        [A * 0.44, 0.4, 0.22, 0.25, 0.5, 0],
      ],
      lit: (x) => {
        x.B(0.004);
        x.fillStyle = "#e00";
        x.fillRect(A * 0.44 - 0.05, 0.33, 0.1, 0.235);
        x.B(0.01);
        x.fillStyle = "#700";
        x.beginPath();
        x.moveTo(A * 0.44 - 0.05, 0.565);
        x.lineTo(A * 0.44 + 0.05, 0.565);
        x.lineTo(A * 0.44 + 0.1, 0.7);
        x.lineTo(A * 0.44 - 0.14, 0.7);
        x.fill();
        x.B(0);
        const n = 5,
          m = 6;
        for (let i = 0; i < n; i++) {
          bulb(x, l + ((r - l) * i) / (n - 1), t, 0.017);
        }
        for (let j = 1; j < m; j++) {
          bulb(x, l, t + ((b - t) * j) / m, 0.017);
          bulb(x, r, t + ((b - t) * j) / m, 0.017);
        }
      },
      occ: (x) => {
        x.B(0.003);
        figure(x, A * 0.44, 0.565, 0.19);
        x.fillStyle = red;
        x.strokeStyle = red;
        x.B(0.002);
        x.fillRect(0, 0.745, A, 0.016);
        x.B(0.003);
        const fx = A * 0.74;
        x.fillRect(fx, 0.66, 0.05, 0.09);
        x.lineWidth = 0.006;
        x.strokeStyle = red;
        for (const [a, q] of [
          [-0.02, -0.12],
          [0.004, -0.15],
          [0.03, -0.11],
        ]) {
          x.beginPath();
          x.moveTo(fx + 0.02, 0.67);
          x.lineTo(fx + 0.02 + a * 1.4, 0.66 + q * 0.6);
          x.stroke();
        }
        x.fillRect(A * 0.22, 0.7, 0.035, 0.05);
        x.fillRect(A * 0.3, 0.68, 0.022, 0.07);
        x.strokeStyle = red;
        x.lineWidth = 0.012;
        x.strokeRect(l - 0.032, t - 0.032, r - l + 0.064, b - t + 0.075);
      },
    };
  },
  mic: (A) => ({
    haze: 0.85,
    seed: 1.7,
    expo: 1.7,
    vig: 0.6,
    beams: [
      [A * 0.98, -0.1, A * 0.2, 1.05, 0.03, 0.26, 1.25],
      [A * 0.0, -0.1, A * 0.62, 1.1, 0.02, 0.18, 0.3, 0],
    ],
    glows: [
      [A * 0.56, 0.36, 0.24, 0.26, 0.75],
      [A * 0.2, 0.72, 0.06, 0.06, 0.5, 1, 6],
      [A * 0.83, 0.62, 0.045, 0.045, 0.35, 1, 6],
      [A * 0.32, 0.86, 0.05, 0.05, 0.4, 1, 6],
      [A * 0.71, 0.84, 0.07, 0.07, 0.3, 1, 6],
      [A * 0.1, 0.5, 0.04, 0.04, 0.3, 1, 6],
      [A * 0.92, 0.8, 0.05, 0.05, 0.35, 1, 6],
    ],
    lit: (x) => {
      x.B(0.0012);
      x.globalCompositeOperation = "lighter";
    },
    occ: (x) => {
      x.fillStyle = red;
      x.strokeStyle = red;
      x.save();
      x.translate(A * 0.5, 0.36);
      x.rotate(0.1);
      x.B(0.001);
      const w = 0.105,
        h = 0.165;
      x.beginPath();
      x.roundRect(-w, -h, 2 * w, 2 * h, [0.1, 0.1, 0.06, 0.06]);
      x.fill();
      x.globalCompositeOperation = "destination-out";
      x.globalCompositeOperation = "source-over";
      x.strokeStyle = "rgb(255,70,0)";
      x.lineWidth = 0.0045;
      for (let i = -3; i < 4; i++) {
        x.strokeStyle = i % 2 ? "rgb(255,26,0)" : "rgb(255,40,0)";
        x.beginPath();
        x.moveTo(-w * 0.8, -0.03 + i * 0.032);
        x.lineTo(w * 0.86, -0.03 + i * 0.032);
        x.stroke();
      }
      x.strokeStyle = "rgb(255,60,0)";
      x.lineWidth = 0.011;
      x.beginPath();
      x.moveTo(0, -h * 0.9);
      x.lineTo(0, h * 0.6);
      x.stroke();
      x.strokeStyle = "rgb(255,90,0)";
      x.lineWidth = 0.006;
      x.beginPath();
      x.moveTo(w * 0.93, -h * 0.62);
      x.lineTo(w * 0.95, h * 0.6);
      x.stroke();
      x.fillStyle = red;
      x.fillRect(-0.026, h * 0.9, 0.052, 0.09);
      x.fillRect(-0.013, h + 0.06, 0.026, 0.9);
      x.fillStyle = "rgb(255,70,0)";
      x.fillRect(0.008, h + 0.08, 0.004, 0.9);
      x.restore();
    },
  }),
  curtain: (A) => {
    const c = A * 0.54,
      g = 0.055;
    return {
      horizon: 0.86,
      foot: 0.87,
      haze: 0.5,
      seed: 4.4,
      expo: 1.55,
      refl: 0.5,
      vig: 0.5,
      beams: [
        [c, 0.2, c, 1.3, 0.02, 0.1, 0.9],
        [c, 0.87, c - 0.32, 1.15, 0.05, 0.12, 1.2],
      ],
      glows: [
        [c, 0.45, 0.13, 0.6, 0.9],
        [c - 0.06, 0.92, 0.2, 0.06, 1.1],
      ],
      lit: (x) => {
        x.B(0.003);
        const gr = x.createLinearGradient(0, 0, 0, 0.87);
        gr.addColorStop(0, "#500");
        gr.addColorStop(0.6, "#f00");
        gr.addColorStop(1, "#e00");
        x.fillStyle = gr;
        x.beginPath();
        x.moveTo(c - 0.012, 0);
        x.bezierCurveTo(c - 0.02, 0.4, c - g, 0.6, c - g * 1.5, 0.87);
        x.lineTo(c + g * 1.3, 0.87);
        x.bezierCurveTo(c + g, 0.6, c + 0.02, 0.4, c + 0.012, 0);
        x.fill();
        for (let i = 0; i < 26; i++) {
          const px = (A * i) / 25,
            d = Math.abs(px - c);
          if (d < 0.08) continue;
          const q = Math.exp(-d * 3.2);
          const v = Math.round(150 * q + 14);
          x.B(0.006);
          const lg = x.createLinearGradient(px - 0.02, 0, px + 0.02, 0);
          const s = px < c ? 1 : -1;
          lg.addColorStop(s > 0 ? 0.2 : 0, `rgb(0,0,0)`);
          lg.addColorStop(0.5, `rgb(0,${v},0)`);
          lg.addColorStop(1, "rgb(0,0,0)");
          x.globalCompositeOperation = "lighter";
          x.fillStyle = lg;
          x.beginPath();
          const k = (px - c) * 0.06;
          x.moveTo(px - 0.02, 0);
          x.lineTo(px + 0.02, 0);
          x.lineTo(px + 0.02 + k, 0.865);
          x.lineTo(px - 0.02 + k, 0.865);
          x.fill();
        }
      },
      occ: (x) => {
        x.B(0.001);
        figure(x, c, 0.895, 0.3);
      },
    };
  },
  chair: (A) => {
    const c = A * 0.5,
      fy = 0.76;
    return {
      horizon: 0.66,
      foot: fy,
      haze: 0.8,
      seed: 6.1,
      expo: 1.8,
      refl: 0.5,
      shX: c,
      shY: 1.6,
      shI: 0.75,
      vig: 0.55,
      beams: [
        [c + 0.05, -0.1, c, fy + 0.03, 0.012, 0.21, 1.9],
        [c + 0.05, -0.1, c, fy, 0.006, 0.1, 1],
      ],
      glows: [
        [c, fy + 0.02, 0.27, 0.075, 2, 0, 6],
        [c, fy - 0.1, 0.3, 0.3, 0.25],
        [c + 0.05, -0.02, 0.08, 0.06, 1.5, 0, 2],
      ],
      occ: (x) => {
        x.B(0.0008);
        x.strokeStyle = red;
        x.fillStyle = red;
        x.lineWidth = 0.009;
        const s = 0.9;
        const L = (a, b, d, e) => {
          x.beginPath();
          x.moveTo(c + a * s, fy + b * s);
          x.lineTo(c + d * s, fy + e * s);
          x.stroke();
        };
        L(-0.052, 0, -0.045, -0.13);
        L(0.058, 0.012, 0.05, -0.12);
        L(-0.03, -0.02, -0.028, -0.12);
        L(0.038, -0.015, 0.034, -0.12);
        x.beginPath();
        x.ellipse(c, fy - 0.13 * s, 0.06 * s, 0.014 * s, 0, 0, 7);
        x.fill();
        x.lineWidth = 0.008;
        x.beginPath();
        x.moveTo(c - 0.05 * s, fy - 0.13 * s);
        x.bezierCurveTo(
          c - 0.06 * s,
          fy - 0.33 * s,
          c + 0.06 * s,
          fy - 0.33 * s,
          c + 0.05 * s,
          fy - 0.13 * s,
        );
        x.stroke();
        x.lineWidth = 0.005;
        x.beginPath();
        x.moveTo(c - 0.025 * s, fy - 0.13 * s);
        x.bezierCurveTo(
          c - 0.03 * s,
          fy - 0.28 * s,
          c + 0.03 * s,
          fy - 0.28 * s,
          c + 0.025 * s,
          fy - 0.13 * s,
        );
        x.stroke();
        x.beginPath();
        x.moveTo(c + 0.03, fy - 0.265);
        x.bezierCurveTo(c + 0.075, fy - 0.25, c + 0.08, fy - 0.12, c + 0.075, fy - 0.05);
        x.bezierCurveTo(c + 0.05, fy - 0.06, c + 0.045, fy - 0.06, c + 0.03, fy - 0.05);
        x.bezierCurveTo(c + 0.02, fy - 0.15, c + 0.01, fy - 0.22, c + 0.03, fy - 0.265);
        x.fill();
      },
    };
  },
  crowd: (A) => ({
    haze: 0.9,
    seed: 9.4,
    expo: 1.6,
    vig: 0.45,
    beams: [
      ...[-0.45, -0.25, -0.08, 0.1, 0.28, 0.48].map((d, i) => [
        A * 0.5 + d * 0.18,
        0.6,
        A * 0.5 + d * 1.5,
        -0.25,
        0.008,
        0.09,
        i % 3 == 1 ? 1.0 : 0.7,
        0,
      ]),
    ],
    glows: [
      [A * 0.5, 0.6, 0.34, 0.13, 1.5],
      [A * 0.5, 0.56, 0.12, 0.05, 2.2, 1, 2],
      [A * 0.5, 0.75, 0.6, 0.2, 0.16, 1],
    ],
    lit: (x) => {
      x.B(0);
      for (let i = 0; i < 6; i++)
        bulb(x, A * 0.5 + [-0.45, -0.25, -0.08, 0.1, 0.28, 0.48][i] * 0.3, 0.6, 0.006, "#f00");
    },
    occ: (x) => {
      x.B(0.001);
      figure(x, A * 0.5, 0.68, 0.105);
      x.B(0.001);
      crowd(x, A, 0.71, 0.05, 31, 0.35);
      x.fillStyle = red;
      x.fillRect(0, 0.76, A, 0.3);
      x.B(0.0015);
      crowd(x, A, 0.8, 0.085, 53, 0.5);
      x.fillRect(0, 0.88, A, 0.3);
      x.B(0.005);
      crowd(x, A, 0.93, 0.15, 91, 0.4);
    },
  }),
  door: (A) => {
    const c = A * 0.6,
      fy = 0.7,
      w = 0.1,
      h = 0.34;
    return {
      horizon: fy,
      foot: fy,
      haze: 0.55,
      seed: 7.7,
      expo: 1.7,
      refl: 0.2,
      shX: c,
      shY: 1.15,
      shI: 0.9,
      floorTex: 0.8,
      vig: 0.5,
      beams: [[c, fy - 0.02, c - 0.1, 1.25, w * 0.75, 0.3, 1.5]],
      glows: [
        [c, fy - 0.15, 0.24, 0.28, 0.32],
        [c - 0.03, fy + 0.06, 0.2, 0.05, 0.5],
      ],
      lit: (x) => {
        x.B(0.0015);
        x.fillStyle = "#f00";
        x.fillRect(c - w / 2 - 0.02, fy - h, w + 0.04, h);
        x.B(0);
        bulb(x, c, fy - h - 0.09, 0.013);
      },
      occ: (x) => {
        x.B(0.001);
        figure(x, c - 0.005, fy + 0.005, 0.26);
        x.strokeStyle = red;
        x.lineWidth = 0.006;
        x.beginPath();
        x.moveTo(c, fy - h - 0.105);
        x.quadraticCurveTo(c, fy - h - 0.14, c + 0.05, fy - h - 0.14);
        x.stroke();
      },
    };
  },
  stairs: (A) => {
    const n = 9;
    return {
      haze: 0.75,
      seed: 3.9,
      expo: 1.6,
      vig: 0.5,
      beams: [
        [A * 0.5, 0.34, A * 0.5, -0.5, 0.12, 0.34, 0.8],
        [A * 0.5, 0.3, A * 0.05, -0.2, 0.02, 0.1, 0.5],
        [A * 0.5, 0.3, A * 0.95, -0.2, 0.02, 0.1, 0.5],
      ],
      glows: [
        [A * 0.5, 0.3, 0.2, 0.2, 2.2],
        [A * 0.5, 0.34, 0.5, 0.16, 0.4],
      ],
      lit: (x) => {
        for (let i = 0; i < n; i++) {
          const k = i / (n - 1),
            y = 0.43 + k * k * 0.62 + 0.015 * i * 0.2,
            w = 0.13 + k * 0.34;
          x.B(0.0012);
          const g = x.createLinearGradient(A * 0.5 - w, 0, A * 0.5 + w, 0);
          g.addColorStop(0, "#000");
          g.addColorStop(0.5, `rgb(0,${Math.round(230 - 120 * k)},0)`);
          g.addColorStop(1, "#000");
          x.fillStyle = g;
          x.fillRect(A * 0.5 - w, y, 2 * w, 0.005 + 0.006 * k);
        }
      },
      occ: (x) => {
        x.B(0.001);
        x.fillStyle = red;
        x.beginPath();
        x.moveTo(A * 0.5 - 0.14, 0.432);
        x.lineTo(A * 0.5 + 0.14, 0.432);
        x.lineTo(A * 0.5 + 0.9, 1.1);
        x.lineTo(A * 0.5 - 0.9, 1.1);
        x.fill();
        x.globalCompositeOperation = "source-over";
        x.fillStyle = "#000";
        for (let i = 0; i < n; i++) {
          const k = i / (n - 1),
            y = 0.43 + k * k * 0.62 + 0.003 * i,
            w = 0.13 + k * 0.34;
          x.fillRect(A * 0.5 - w, y - 0.002, 2 * w, 0.009 + 0.006 * k);
        }
        x.fillStyle = red;
        figure(x, A * 0.5, 0.437, 0.21);
      },
    };
  },
  lamps: (A) => {
    const P = [
      [0.2, 0.2, 0.07],
      [0.66, 0.13, 0.085],
      [0.42, 0.4, 0.11],
      [0.84, 0.46, 0.06],
    ];
    return {
      haze: 0.85,
      seed: 2.9,
      expo: 1.5,
      vig: 0.55,
      beams: P.map(([a, b, r]) => [
        A * a,
        b,
        A * a + (a - 0.5) * 0.5 - 0.08,
        1.15,
        r * 0.6,
        r * 2.6,
        0.5,
      ]),
      glows: P.flatMap(([a, b, r]) => [
        [A * a, b, r * 2.6, r * 2.6, 0.55, 0, 2],
        [A * a, b, r * 5, r * 0.12, 0.8],
      ]),
      lit: (x) => {
        for (const [a, b, r] of P) {
          x.B(0.002);
          const g = x.createRadialGradient(A * a, b, 0, A * a, b, r * 0.78);
          g.addColorStop(0, "#ff8000");
          g.addColorStop(0.55, "#f00");
          g.addColorStop(0.93, "#600");
          g.addColorStop(1, "#000");
          x.fillStyle = g;
          x.beginPath();
          x.arc(A * a, b, r * 0.78, 0, 7);
          x.fill();
        }
      },
      occ: (x) => {
        x.strokeStyle = red;
        x.fillStyle = red;
        for (const [a, b, r] of P) {
          x.B(0.0015);
          x.lineWidth = r * 0.2;
          x.beginPath();
          x.arc(A * a, b, r * 0.9, 0, 7);
          x.stroke();
          x.lineWidth = r * 0.1;
          for (const s of [-1, 1]) {
            x.save();
            x.translate(A * a, b);
            x.rotate(s * 0.5 + (s > 0 ? 0 : 3.14));
            x.fillRect(r * 0.95, -r * 0.55, r * 0.5, r * 1.1);
            x.restore();
          }
          x.fillRect(A * a - r * 0.06, b - r * 2, r * 0.12, r * 1.1);
        }
        x.B(0.002);
        x.fillRect(0, 0.04, A, 0.012);
        x.B(0.0015);
        figure(x, A * 0.42, 1.02, 0.3);
      },
    };
  },
  kettle: (A) => {
    const c = A * 0.52,
      fy = 0.72;
    return {
      horizon: 0.56,
      foot: fy,
      haze: 0.8,
      seed: 5.5,
      expo: 1.7,
      refl: 0.45,
      shX: c,
      shY: 0.9,
      shI: 0.8,
      floorTex: 0.8,
      vig: 0.5,
      beams: [[A * 1.1, -0.15, c, fy + 0.03, 0.05, 0.2, 1.7]],
      glows: [
        [c, fy + 0.02, 0.28, 0.07, 1.2, 0, 0],
        [c + 0.06, fy - 0.25, 0.3, 0.3, 0.25],
        [A * 0.1, 0.6, 0.3, 0.06, 0.2, 1],
      ],
      occ: (x) => {
        x.B(0.001);
        x.fillStyle = red;
        x.strokeStyle = red;
        x.beginPath();
        x.arc(c, fy - 0.085, 0.088, 0, 7);
        x.fill();
        x.fillRect(c - 0.05, fy - 0.02, 0.1, 0.02);
        x.lineWidth = 0.025;
        x.beginPath();
        x.moveTo(c - 0.05, fy - 0.14);
        x.bezierCurveTo(c - 0.085, fy - 0.28, c + 0.085, fy - 0.28, c + 0.05, fy - 0.14);
        x.stroke();
      },
    };
  },
  barbell: (A) => {
    const c = A * 0.5,
      fy = 0.7;
    return {
      horizon: 0.56,
      foot: fy,
      haze: 0.85,
      seed: 8.1,
      expo: 1.65,
      refl: 0.5,
      floorTex: 0.8,
      shX: c,
      shY: 1,
      shI: 0.6,
      beams: [
        [A * 0.12, -0.1, A * 0.5, fy + 0.05, 0.03, 0.26, 1.3],
        [A * 0.9, -0.1, A * 0.6, fy, 0.015, 0.1, 0.4],
      ],
      glows: [
        [c, fy + 0.02, 0.4, 0.07, 1],
        [c, fy - 0.1, 0.3, 0.22, 0.4],
        [A * 0.95, 0.57, 0.3, 0.04, 0.25, 1],
      ],
      occ: (x) => {
        x.B(0.001);
        x.fillStyle = red;
        x.fillRect(0, fy - 0.128, A, 0.011);
        for (const s of [-1, 1]) {
          for (const [o, r] of [
            [0.2, 0.128],
            [0.235, 0.128],
            [0.268, 0.1],
          ]) {
            x.beginPath();
            x.ellipse(c + s * o, fy - 0.123, 0.017, r, 0, 0, 7);
            x.fill();
          }
        }
      },
    };
  },
  rings: (A) => ({
    horizon: 0.8,
    foot: 0.82,
    haze: 0.85,
    seed: 3.3,
    expo: 1.6,
    beams: [
      [A * 0.5, -0.2, A * 0.5, 0.86, 0.04, 0.19, 1.3],
      [A * 0.0, -0.1, A * 0.3, 0.85, 0.01, 0.1, 0.3],
    ],
    glows: [
      [A * 0.5, 0.84, 0.24, 0.05, 1.5, 0, 6],
      [A * 0.5, 0.4, 0.25, 0.35, 0.3],
      [A * 0.5, -0.02, 0.1, 0.08, 1, 1, 2],
    ],
    occ: (x) => {
      x.B(0.0008);
      x.strokeStyle = red;
      x.fillStyle = red;
      for (const s of [-0.105, 0.105]) {
        x.lineWidth = 0.007;
        x.beginPath();
        x.moveTo(A * 0.5 + s * 0.8, -0.1);
        x.lineTo(A * 0.5 + s, 0.4);
        x.stroke();
        x.lineWidth = 0.015;
        x.beginPath();
        x.ellipse(A * 0.5 + s, 0.455, 0.048, 0.056, 0, 0, 7);
        x.stroke();
      }
    },
  }),
  bag: (A) => ({
    horizon: 0.8,
    foot: 0.84,
    haze: 0.9,
    seed: 6.6,
    expo: 1.6,
    beams: [
      [A * 0.95, -0.12, A * 0.38, 0.9, 0.025, 0.2, 1.5],
      [A * 0.05, -0.1, A * 0.35, 0.85, 0.015, 0.1, 0.3, 1],
    ],
    glows: [
      [A * 0.42, 0.86, 0.26, 0.05, 1.1],
      [A * 0.5, 0.42, 0.28, 0.34, 0.35],
    ],
    occ: (x) => {
      x.B(0.001);
      x.strokeStyle = red;
      x.fillStyle = red;
      x.lineWidth = 0.006;
      x.save();
      x.translate(A * 0.48, 0);
      x.rotate(0.07);
      for (const s of [-0.055, 0.055]) {
        x.beginPath();
        x.moveTo(0, -0.05);
        x.lineTo(s, 0.19);
        x.stroke();
      }
      x.beginPath();
      x.roundRect(-0.075, 0.18, 0.15, 0.46, 0.03);
      x.fill();
      x.restore();
    },
  }),
  runner: (A) => {
    const c = A * 0.56,
      fy = 0.7;
    return {
      horizon: fy,
      foot: fy + 0.0,
      haze: 0.7,
      seed: 1.2,
      expo: 1.6,
      refl: 0.5,
      floorTex: 0.5,
      glows: [
        [c - 0.03, 0.44, 0.2, 0.2, 1.8, 1, 6],
        [c - 0.03, 0.46, 0.5, 0.4, 0.28, 1],
        [c, fy + 0.01, 0.6, 0.03, 0.4, 1],
        [A * 0.5, 0.0, 0.8, 0.4, 0.14, 0],
      ],
      beams: [],
      occ: (x) => {
        x.B(0.001);
        x.strokeStyle = red;
        x.fillStyle = red;
        x.save();
        x.translate(c, fy + 0.004);
        const s = 0.24;
        x.scale(s, s);
        x.beginPath();
        x.ellipse(0.07, -0.9, 0.05, 0.062, 0.2, 0, 7);
        x.fill();
        x.lineWidth = 0.125;
        x.beginPath();
        x.moveTo(0.035, -0.74);
        x.lineTo(-0.02, -0.5);
        x.stroke();
        const T = (w, ...p) => {
          x.lineWidth = w;
          x.beginPath();
          x.moveTo(p[0], p[1]);
          for (let i = 2; i < p.length; i += 2) x.lineTo(p[i], p[i + 1]);
          x.stroke();
        };
        T(0.095, -0.02, -0.47, 0.15, -0.36);
        T(0.07, 0.15, -0.36, 0.1, -0.16);
        T(0.045, 0.1, -0.16, 0.16, -0.14);
        T(0.095, -0.03, -0.46, -0.1, -0.24);
        T(0.065, -0.1, -0.24, -0.3, -0.17);
        T(0.045, -0.3, -0.17, -0.33, -0.11);
        T(0.058, 0.05, -0.77, 0.14, -0.6);
        T(0.048, 0.14, -0.6, 0.25, -0.7);
        T(0.058, 0.02, -0.77, -0.12, -0.66);
        T(0.048, -0.12, -0.66, -0.14, -0.5);
        T(0.06, 0.05, -0.82, 0.06, -0.86);
        x.restore();
        x.B(0.002);
        x.beginPath();
        x.moveTo(0, fy - 0.01);
        for (let i = 0; i <= 20; i++)
          x.lineTo((A * i) / 20, fy + 0.006 + Math.sin(i * 1.7) * 0.003);
        x.lineTo(A, 1.1);
        x.lineTo(0, 1.1);
        x.fill();
      },
    };
  },
};
